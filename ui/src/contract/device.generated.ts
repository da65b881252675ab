// Generated from shared/ by `npm run contract`; do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Capabilities
         * @description What the host can do, and the portal's ``lab``: null while the portal cannot be reached.
         */
        Capabilities: {
            /**
             * Host
             * @default desktop
             */
            host: string;
            /** Version */
            version: string;
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
            /** Lab */
            lab: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
        };
        /**
         * DocumentRequest
         * @description POST /device/documents: a portal path, or what the page has loaded itself.
         *
         *     ``name`` is what the viewer's title bar shows, without patient data.
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
        };
        /**
         * DocumentShown
         * @description What was opened.
         */
        DocumentShown: {
            /** Name */
            name: string;
        };
        /** HTTPValidationError */
        HTTPValidationError: {
            /** Detail */
            detail?: components["schemas"]["ValidationError"][];
        };
        JsonValue: unknown;
        /**
         * LabelShape
         * @description One label as ``GET /v2/requisitions/{id}/labels`` answers it (O 3).
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
         * NetworkPrinter
         * @description The settings of a network printer to add; ``dpi`` in dots per inch.
         *
         *     Without a language, the name decides which one is tried first (O 9).
         */
        NetworkPrinter: {
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
         * @description One printer; ``dpi`` in dots per inch.
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
            kind: "tcp" | "cups" | "windows";
            /** Address */
            address: string;
            /** Language */
            language: ("zpl" | "epl") | null;
            /** Dpi */
            dpi: number;
            /** Isdefault */
            isDefault: boolean;
        };
        /**
         * PrinterChange
         * @description What may be changed later; of the computer's own queues only language and density.
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
