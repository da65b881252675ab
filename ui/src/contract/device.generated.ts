// Generated from shared/ by `npm run contract`; do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * About
         * @description The version, and the texts; a source tree has no texts.
         */
        About: {
            /** Version */
            version: string;
            /** Licenses */
            licenses: components["schemas"]["LicenseText"][];
        };
        /**
         * Capabilities
         * @description What the host can do, the computer's name, and the portal's ``lab`` if it answers.
         *
         *     ``names_in_titles`` allows the titles of windows to name the patient.
         */
        Capabilities: {
            /**
             * Host
             * @default desktop
             * @constant
             */
            host: "desktop";
            /** Version */
            version: string;
            /** Workstation */
            workstation: string;
            /**
             * Canprintlabels
             * @default true
             */
            canPrintLabels: boolean;
            /** Canopenwindows */
            canOpenWindows: boolean;
            /**
             * Keepspreferences
             * @default true
             */
            keepsPreferences: boolean;
            /** Keepscredentials */
            keepsCredentials: boolean;
            /** Namesintitles */
            namesInTitles: boolean;
            /** Lab */
            lab: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            portal: components["schemas"]["PortalConnection"];
        };
        /**
         * Cause
         * @description The reason why no portal answers; each has its own sentence.
         * @enum {string}
         */
        Cause: "not_chosen" | "settings" | "not_listening" | "unknown_host" | "no_route" | "timeout" | "untrusted" | "wrong_name" | "expired" | "tls" | "proxy" | "proxy_timeout" | "proxy_rejects" | "proxy_sign_in" | "proxy_untrusted" | "proxy_wrong_name" | "proxy_expired" | "proxy_tls" | "broken" | "starting" | "redirects" | "wrong_product";
        /**
         * Diagnostics
         * @description The text, and whether it is in the clipboard; if not, the page copies it.
         */
        Diagnostics: {
            /** Text */
            text: string;
            /** Iscopied */
            isCopied: boolean;
            /** Folder */
            folder: string;
        };
        /**
         * DocumentRequest
         * @description POST /device/documents: a portal path, or what the page has loaded itself.
         *
         *     ``name`` is what the viewer's title bar shows, without patient data. If ``is_saved``, the person
         *     chooses where to save it instead, or cancels.
         */
        DocumentRequest: {
            /** Path */
            path?: string | null;
            /** Content */
            content?: string | null;
            /**
             * Mediatype
             * @default application/pdf
             */
            mediaType: string;
            /**
             * Name
             * @default document
             */
            name: string;
            /**
             * Issaved
             * @default false
             */
            isSaved: boolean;
        };
        /**
         * DocumentShown
         * @description The document that is open now.
         */
        DocumentShown: {
            /** Name */
            name: string;
        };
        /**
         * FoundPrinter
         * @description A printer that answers; ``model`` is None if it does not say what it is.
         */
        FoundPrinter: {
            /** Host */
            host: string;
            /** Port */
            port: number;
            /** Model */
            model: string | null;
            /** Language */
            language: ("zpl" | "epl") | null;
            /** Dpi */
            dpi: number | null;
        };
        /** HTTPValidationError */
        HTTPValidationError: {
            /** Detail */
            detail?: components["schemas"]["ValidationError"][];
        };
        /**
         * JobRecord
         * @description One print job.
         *
         *     Each copy is a complete set of labels, and the sets follow each other. The first ``printed``
         *     labels were printed, the next ``unknown`` ones may have been, and the others were not.
         *
         *     Attributes:
         *         form: what was sent.
         *         codes: the requisitions' codes.
         *         labels: the number of labels in all copies.
         *         printed: the number that were printed (``confirmed``) or passed on (``sent``).
         *         unknown: the number that may have been printed.
         *         waits_for: what the printer needs now.
         */
        JobRecord: {
            /** Id */
            id: string;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "printing" | "sent" | "confirmed" | "failed" | "stopped";
            /** Printerid */
            printerId: string;
            /** Printer */
            printer: string;
            /**
             * Form
             * @enum {string}
             */
            form: "zpl" | "epl" | "png";
            /** Codes */
            codes: string[];
            /** Labels */
            labels: number;
            /**
             * Printed
             * @default 0
             */
            printed: number;
            /**
             * Unknown
             * @default 0
             */
            unknown: number;
            /**
             * Waitsfor
             * @default []
             */
            waitsFor: ("paper-out" | "ribbon-out" | "head-open" | "paused" | "jam" | "offline" | "queue-stopped" | "queue-closed" | "too-hot" | "too-cold" | "error")[];
            /** Error */
            error?: string | null;
            /** Code */
            code?: string | null;
            /**
             * Started
             * Format: date-time
             */
            started: string;
            /** Ended */
            ended?: string | null;
        };
        JsonValue: unknown;
        /**
         * LabelShape
         * @description One label as ``GET /v2/requisitions/{id}/labels`` returns it (O 3).
         */
        LabelShape: {
            /**
             * Title
             * @default
             */
            title: string;
            /**
             * Image
             * @default
             */
            image: string;
            /**
             * Zpl
             * @default
             */
            zpl: string;
            /**
             * Epl
             * @default
             */
            epl: string;
        };
        /**
         * LicenseText
         * @description A text of the package: the notices of third parties, or a license.
         */
        LicenseText: {
            /** Name */
            name: string;
            /** Text */
            text: string;
        };
        /**
         * NetworkPrinter
         * @description The settings of a network printer to add; ``dpi`` in dots per inch.
         *
         *     If ``language`` is absent, the name decides (O 9); ``null`` prints images.
         */
        NetworkPrinter: {
            /**
             * Size
             * @default 2x1
             * @enum {string}
             */
            size: "2x1" | "2.25x1.25" | "3x1" | "3x2" | "4x2";
            /** Darkness */
            darkness?: number | null;
            /** Speed */
            speed?: number | null;
            /**
             * Offsetx
             * @default 0
             */
            offsetX: number;
            /**
             * Offsety
             * @default 0
             */
            offsetY: number;
            /** Name */
            name: string;
            /** Host */
            host: string;
            /**
             * Port
             * @default 9100
             */
            port: number;
            /** Language */
            language?: ("zpl" | "epl") | null;
            /**
             * Dpi
             * @default 203
             */
            dpi: number;
        };
        /**
         * PortalChoiceRead
         * @description The portal in use, and the others; ``fixed_by`` names the setting that leaves no choice.
         */
        PortalChoiceRead: {
            /** Current */
            current: string | null;
            /** Fixedby */
            fixedBy: string | null;
            /** Portals */
            portals: components["schemas"]["PortalEntry"][];
        };
        /**
         * PortalChoiceWrite
         * @description PUT /device/portals/current.
         */
        PortalChoiceWrite: {
            /** Url */
            url: string;
        };
        /**
         * PortalConnection
         * @description The portal's address, and if it cannot be reached, why and what to do about it.
         *
         *     ``newer_version`` is the portal's version if this app is older, so that the lab has an update.
         */
        PortalConnection: {
            /** Address */
            address: string | null;
            cause?: components["schemas"]["Cause"] | null;
            /** Problem */
            problem?: string | null;
            /** Advice */
            advice?: string | null;
            /** Newerversion */
            newerVersion?: string | null;
        };
        /**
         * PortalEntry
         * @description A portal to choose from; ``can_remove`` if the person may remove it from the list.
         */
        PortalEntry: {
            /** Url */
            url: string;
            /** Name */
            name: string;
            /** Canremove */
            canRemove: boolean;
        };
        /**
         * PreferenceValue
         * @description PUT /device/preferences/{key}: any JSON value.
         */
        PreferenceValue: {
            value: components["schemas"]["JsonValue"];
        };
        /**
         * PresenceRead
         * @description Idle time and number of ended sessions of the app.
         *
         *     ``sessions_ended`` counts sign-outs, and sign-ins of another person. A window must forget its
         *     session if the number differs from that at its sign-in.
         */
        PresenceRead: {
            /** Idleseconds */
            idleSeconds: number;
            /** Sessionsended */
            sessionsEnded: number;
        };
        /**
         * PrintJobRequest
         * @description POST /device/print-jobs.
         *
         *     Attributes:
         *         id: a second request with the same id prints nothing.
         *         codes: the codes of the requisitions; a job with codes is reported to the portal.
         */
        PrintJobRequest: {
            /** Printerid */
            printerId: string;
            /**
             * Copies
             * @default 1
             */
            copies: number;
            /** Labels */
            labels: components["schemas"]["LabelShape"][];
            /** Id */
            id: string;
            /**
             * Codes
             * @default []
             */
            codes: string[];
        };
        /**
         * PrintRequest
         * @description POST /device/print.
         */
        PrintRequest: {
            /** Printerid */
            printerId: string;
            /**
             * Copies
             * @default 1
             */
            copies: number;
            /** Labels */
            labels: components["schemas"]["LabelShape"][];
        };
        /**
         * Printed
         * @description How many labels the printer accepted.
         */
        Printed: {
            /** Printed */
            printed: number;
        };
        /**
         * PrinterAnswer
         * @description One printer.
         *
         *     Attributes:
         *         dpi: its resolution in dots per inch.
         *         size: the size of its labels in inches.
         *         offset_x, offset_y: in millimeters.
         */
        PrinterAnswer: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "tcp" | "cups" | "windows" | "usb";
            /** Address */
            address: string;
            /** Language */
            language: ("zpl" | "epl") | null;
            /** Dpi */
            dpi: number;
            /** Isdefault */
            isDefault: boolean;
            /** Size */
            size: string;
            /** Darkness */
            darkness: number | null;
            /** Speed */
            speed: number | null;
            /** Offsetx */
            offsetX: number;
            /** Offsety */
            offsetY: number;
            /** Changedby */
            changedBy: string | null;
            /** Changedat */
            changedAt: string | null;
            /** Changedsettings */
            changedSettings: ("name" | "host" | "port" | "language" | "dpi" | "size" | "darkness" | "speed" | "offsetX" | "offsetY")[];
        };
        /**
         * PrinterChange
         * @description Settings to change; the name and address of the computer's own queues are fixed.
         */
        PrinterChange: {
            /** Name */
            name?: string | null;
            /** Host */
            host?: string | null;
            /** Port */
            port?: number | null;
            /** Language */
            language?: ("zpl" | "epl") | null;
            /** Dpi */
            dpi?: number | null;
            /** Size */
            size?: ("2x1" | "2.25x1.25" | "3x1" | "3x2" | "4x2") | null;
            /** Darkness */
            darkness?: number | null;
            /** Speed */
            speed?: number | null;
            /** Offsetx */
            offsetX?: number | null;
            /** Offsety */
            offsetY?: number | null;
        };
        /**
         * PrinterStatusAnswer
         * @description The state of a printer; unless ``isKnown``, the printer does not report one.
         */
        PrinterStatusAnswer: {
            /** Isknown */
            isKnown: boolean;
            /** Problems */
            problems: ("paper-out" | "ribbon-out" | "head-open" | "paused" | "jam" | "offline" | "queue-stopped" | "queue-closed" | "too-hot" | "too-cold" | "error")[];
            /** Waiting */
            waiting: number;
        };
        /**
         * RulerRequest
         * @description POST /device/print-jobs/ruler: a label with a ruler, to check a printer's settings.
         */
        RulerRequest: {
            /** Printerid */
            printerId: string;
            /** Id */
            id: string;
        };
        /**
         * SearchRequest
         * @description POST /device/printers/search: asks the address ``host``, or without one the network.
         */
        SearchRequest: {
            /** Host */
            host?: string | null;
            /**
             * Port
             * @default 9100
             */
            port: number;
        };
        /** ValidationError */
        ValidationError: {
            /** Location */
            loc: (string | number)[];
            /** Message */
            msg: string;
            /** Error Type */
            type: string;
            /** Input */
            input?: unknown;
            /** Context */
            ctx?: Record<string, never>;
        };
        /**
         * WindowRequest
         * @description POST /device/windows.
         */
        WindowRequest: {
            /** Path */
            path: string;
        };
        /**
         * WindowState
         * @description PUT /device/windows/current: how a page controls its own window.
         *
         *     Attributes:
         *         act: 'guards': the page is asked before the window closes; 'holds': the window stays open
         *             while the page asks the person; 'closes': the window closes.
         *         title: the name of the screen, and never of a person.
         */
        WindowState: {
            /** Act */
            act?: ("guards" | "holds" | "closes") | null;
            /** Title */
            title?: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
