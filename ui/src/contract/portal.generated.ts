// Generated from shared/ by `npm run contract`; do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AcceptanceWrite
         * @description POST acceptances: the versions that were shown to the person.
         */
        AcceptanceWrite: {
            /** Documents */
            documents: components["schemas"]["DocumentVersion"][];
        };
        /**
         * AcknowledgeRequest
         * @description PUT acknowledge: the versions of the orders that the user has seen, by id.
         */
        AcknowledgeRequest: {
            /**
             * Versions
             * @default {}
             */
            versions: {
                [key: string]: number;
            };
        };
        /**
         * AcknowledgedOrder
         * @description An acknowledged order, as the grid shows it.
         */
        AcknowledgedOrder: {
            /** Id */
            id: number;
            /** Onlineackuser */
            onlineAckUser: string;
            /** Onlineackdatetime */
            onlineAckDateTime: string;
        };
        /**
         * AcknowledgedOrders
         * @description The acknowledged orders.
         */
        AcknowledgedOrders: {
            /** Data */
            data: components["schemas"]["AcknowledgedOrder"][];
        };
        /**
         * AddedTestRead
         * @description A test that a rule of the lab added, and why; patients do not see ``added_by``.
         *
         *     Attributes:
         *         because: also says what the result was corrected to, and whether the reason no longer holds.
         *         is_reason_gone: whether the reason no longer holds.
         */
        AddedTestRead: {
            /** Name */
            name: string;
            /** Iscanceled */
            isCanceled: boolean;
            /** Because */
            because: string;
            /** Isreasongone */
            isReasonGone: boolean;
            /** Addedat */
            addedAt: string;
            /** Addedby */
            addedBy: string | null;
        };
        /**
         * AntibioticChoice
         * @description An antibiotic to choose.
         */
        AntibioticChoice: {
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Classname */
            className: string;
        };
        /**
         * Application
         * @description The product's application: roles to filter the list by, and those the user may give.
         */
        Application: {
            /** Roles */
            roles: components["schemas"]["Role"][];
            /** Givenroles */
            givenRoles: components["schemas"]["Role"][];
        };
        /**
         * AssignedClient
         * @description A client of a user; a client that the administrator does not manage is locked.
         */
        AssignedClient: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Islocked */
            isLocked: boolean;
        };
        /**
         * AssignedIds
         * @description The ids of the clients, physicians, and patients that a user acts for.
         */
        AssignedIds: {
            /** Clients */
            clients: number[];
            /** Patients */
            patients: number[];
            /** Physicians */
            physicians: number[];
        };
        /**
         * AssignedPatient
         * @description A patient of a user; one of another client is locked, and has no name.
         */
        AssignedPatient: {
            /** Id */
            id: number;
            /** Code */
            code?: string | null;
            /** Lastname */
            lastName?: string | null;
            /** Firstname */
            firstName?: string | null;
            /** Birthdate */
            birthDate?: string | null;
            /** Islocked */
            isLocked: boolean;
        };
        /**
         * AssignedPhysician
         * @description A physician of a user.
         */
        AssignedPhysician: {
            /** Id */
            id: number;
            /** Npi */
            npi: string;
            /** Lastname */
            lastName: string;
            /** Firstname */
            firstName: string;
            /** Islocked */
            isLocked: boolean;
        };
        /**
         * AuditDetail
         * @description A line of the detail; a change has the old value, too.
         */
        AuditDetail: {
            /** Name */
            name: string;
            /** Value */
            value: string | null;
            /** Old */
            old: string | null;
            /** Ischange */
            isChange: boolean;
        };
        /**
         * AuditEventRead
         * @description The detail of an audit row, and the seal that covers it.
         */
        AuditEventRead: {
            /** Id */
            id: number;
            /** Requestid */
            requestId: string;
            /** Detail */
            detail: components["schemas"]["AuditDetail"][];
            /** Seal */
            seal: number | null;
            /** Sealedat */
            sealedAt: string | null;
        };
        /** AuditEventsPage */
        AuditEventsPage: {
            /** Data */
            data: components["schemas"]["AuditEventsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** AuditEventsRow */
        AuditEventsRow: {
            /** Id */
            id: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Role */
            role: string;
            /** Kind */
            kind: string;
            /** Action */
            action: string;
            /** What */
            what: string;
            /** Isdenied */
            isDenied: boolean;
            /** Recordids */
            recordIds: number[];
            /** Recordcount */
            recordCount: number;
            /** Person */
            person: string;
            /** Records */
            records: components["schemas"]["AuditRecord"][];
        };
        /**
         * AuditExportRequest
         * @description A search of the audit log, all of whose rows are exported.
         */
        AuditExportRequest: {
            format: components["schemas"]["ExportFormat"];
            /** Startdate */
            startDate?: string | null;
            /** Enddate */
            endDate?: string | null;
            /** User */
            user?: string | null;
            group?: components["schemas"]["AuditGroup"] | null;
            outcome?: components["schemas"]["AuditOutcome"] | null;
            /** Withoutupkeep */
            withoutUpkeep?: boolean | null;
            /** Patient */
            patient?: number | null;
            /** Code */
            code?: string | null;
        };
        /**
         * AuditGroup
         * @description The kind of act that an audit row records.
         * @enum {string}
         */
        AuditGroup: "viewed" | "changed" | "released" | "signed" | "sent" | "signIn";
        /**
         * AuditOutcome
         * @description Whether the portal did the requested act.
         * @enum {string}
         */
        AuditOutcome: "done" | "denied";
        /**
         * AuditRead
         * @description The seals of the audit log, and its last verification.
         */
        AuditRead: {
            /** Seal */
            seal: number | null;
            /** Sealedat */
            sealedAt: string | null;
            /** Unsealedrows */
            unsealedRows: number;
            /** Unsealedsince */
            unsealedSince: string | null;
            /** Isoverdue */
            isOverdue: boolean;
            /** Verifiedat */
            verifiedAt: string | null;
            /** Verifiedrows */
            verifiedRows: number | null;
            /** Trouble */
            trouble: string | null;
        };
        /**
         * AuditRecord
         * @description A record that an audit row is about; a user has only a name.
         */
        AuditRecord: {
            /** Kind */
            kind: string;
            /** Id */
            id: number | null;
            /** Code */
            code: string | null;
            /** Name */
            name: string;
        };
        /** AutoverificationRulesPage */
        AutoverificationRulesPage: {
            /** Data */
            data: components["schemas"]["AutoverificationRulesRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** AutoverificationRulesRow */
        AutoverificationRulesRow: {
            /** Id */
            id: number;
            /** Testid */
            testId: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Unit */
            unit: string | null;
            /** Method */
            method: string | null;
            /** Testunit */
            testUnit: string | null;
            /** Testmethod */
            testMethod: string | null;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Allowsabnormal */
            allowsAbnormal: boolean;
            /** Deltapercent */
            deltaPercent: number | null;
            /** Deltadays */
            deltaDays: number | null;
            /** Ison */
            isOn: boolean;
            /** Switchedat */
            switchedAt: string | null;
            /** Version */
            version: number;
            /** Switchedbyid */
            switchedById: string | null;
            /** Switchedby */
            switchedBy: string | null;
            /** Istried */
            isTried: boolean;
        };
        /**
         * AutoverificationSettings
         * @description Whether results are released automatically, and whether the caller may change the rules.
         */
        AutoverificationSettings: {
            /** Enabled */
            enabled: boolean;
            canChange: components["schemas"]["Permission"];
        };
        /**
         * AutoverifiedResult
         * @description A saved result whose test has a rule; ``reason`` says why it was not released.
         */
        AutoverifiedResult: {
            /** Name */
            name: string;
            /** Result */
            result: string;
            /** Reason */
            reason: string | null;
        };
        /**
         * BackupRead
         * @description The last backup; null values without one.
         */
        BackupRead: {
            /** At */
            at: string | null;
            /** Ageseconds */
            ageSeconds: number | null;
            /** Version */
            version: string | null;
            /** Bytes */
            bytes: number | null;
            /** Files */
            files: number | null;
            /** Isoverdue */
            isOverdue: boolean;
        };
        /**
         * BillToRequest
         * @description PUT change-bill-to.
         */
        BillToRequest: {
            /** Billto */
            billTo?: number | string | null;
            /**
             * Ids
             * @default []
             */
            ids: number[];
            /**
             * Versions
             * @default {}
             */
            versions: {
                [key: string]: number;
            };
        };
        /** BillTypesPage */
        BillTypesPage: {
            /** Data */
            data: components["schemas"]["BillTypesRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** BillTypesRow */
        BillTypesRow: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * BillingInfoList
         * @description POST save-billing-info: bare or under ``billingInfo``.
         */
        BillingInfoList: {
            /** Billinginfo */
            billingInfo: components["schemas"]["BillingInfoWrite"][] | null;
        };
        /**
         * BillingInfoWrite
         * @description An insurance row of the patient to bill; ``position`` starts at 1.
         *
         *     A row without a position takes that of its place in the list.
         */
        BillingInfoWrite: {
            /** Patientbillinginformationid */
            patientBillingInformationId?: number | null;
            /** Position */
            position?: number | null;
        };
        /**
         * BillingInformation
         * @description An insurance row to which a requisition is billed, as it was when it was chosen.
         */
        BillingInformation: {
            /** Id */
            id: number;
            /** Order */
            order: number;
            /** Billtypeid */
            billTypeId: number;
            /** Billtype */
            billType: string;
            /** Payerid */
            payerId: number;
            /** Payer */
            payer: string;
            /** Insuranceid */
            insuranceId: string;
            /** Groupnumber */
            groupNumber: string | null;
            /** Relationship */
            relationship: string | null;
            /** Differentthanpatient */
            differentThanPatient: boolean;
            /** Lastname */
            lastName: string | null;
            /** Firstname */
            firstName: string | null;
            /** Middlename */
            middleName: string | null;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string | null;
            /** Phone */
            phone: string | null;
            /** Address */
            address: string | null;
            zipCode: components["schemas"]["ZipCodeShape"] | null;
            /** Zipcodeid */
            zipCodeId: number | null;
            /** Zipcodeplus4 */
            zipCodePlus4: string | null;
            /** Missinginformation */
            missingInformation: boolean;
            /** Patientbillinginformationid */
            patientBillingInformationId: number;
            /** Position */
            position: number;
        };
        /**
         * BothFactors
         * @description The user's own password, and a code from the app or a recovery code.
         */
        BothFactors: {
            /** Code */
            code: string;
            /** Password */
            password: string;
        };
        /**
         * CallWrite
         * @description A call to record.
         */
        CallWrite: {
            /** Toldname */
            toldName?: string | null;
            method?: components["schemas"]["TellingMethod"] | null;
            /**
             * Istold
             * @default false
             */
            isTold: boolean;
            /**
             * Hasreadback
             * @default false
             */
            hasReadBack: boolean;
            /** Note */
            note?: string | null;
        };
        /**
         * CancelRequest
         * @description POST cancel.
         */
        CancelRequest: {
            /** Comment */
            comment?: string | null;
            /** Username */
            username?: string | null;
        };
        /**
         * CancelTestsRequest
         * @description POST cancel: these tests, or all when null, with a reason from the lab's list.
         */
        CancelTestsRequest: {
            /** Ordertestids */
            orderTestIds?: number[] | null;
            /** Reason */
            reason: string;
            /** Words */
            words?: string | null;
        };
        /**
         * CancellationReason
         * @description Why tests of an order were canceled: the lab's reason by name, and words about it.
         *
         *     Patients do not see who canceled them.
         */
        CancellationReason: {
            /** Name */
            name: string;
            /** Words */
            words: string | null;
            /** Tests */
            tests: string[];
            /** Canceledat */
            canceledAt: string;
            /** Canceledby */
            canceledBy: string | null;
        };
        /**
         * CategoryWish
         * @description The supplies of a category in a request.
         */
        CategoryWish: {
            /** Id */
            id?: number | null;
            /** Supplies */
            supplies?: components["schemas"]["SupplyWish"][];
        };
        /**
         * CellType
         * @description The type of a cell: text, a number, a day, or a moment of the lab's clock.
         * @enum {string}
         */
        CellType: "text" | "number" | "date" | "moment";
        /**
         * ChangeEvent
         * @description Event ``change``: a record that the subscriber may see has this version now.
         *
         *     ``patient_id`` lets a page that shows values of other orders of the patient follow them.
         */
        ChangeEvent: {
            /** Kind */
            kind: string;
            /** Id */
            id: number;
            /** Version */
            version: number;
            /** Patientid */
            patientId: number | null;
        };
        /**
         * ChangeShape
         * @description A change by a correction.
         *
         *     Attributes:
         *         was, now: null if there is no value.
         */
        ChangeShape: {
            /** Subject */
            subject: string;
            /** Was */
            was: string | null;
            /** Now */
            now: string | null;
        };
        /**
         * ClientOfOrder
         * @description The client of an order.
         */
        ClientOfOrder: {
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Address */
            address: string | null;
            zipCode: components["schemas"]["ZipCodeShape"] | null;
            /** Phone */
            phone: string | null;
            /** Fax */
            fax: string | null;
        };
        /**
         * ClientOfRequisition
         * @description The client of a requisition.
         */
        ClientOfRequisition: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Webaccess */
            webAccess: boolean;
            /** Defaultbillto */
            defaultBillTo: string | null;
            /** Requiresphysician */
            requiresPhysician: boolean;
        };
        /**
         * ClientToCall
         * @description A client that must be notified of a rejected specimen by phone.
         */
        ClientToCall: {
            /** Name */
            name: string;
            /** Phone */
            phone: string | null;
        };
        /** ClientsByNamePage */
        ClientsByNamePage: {
            /** Data */
            data: components["schemas"]["ClientsByNameRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** ClientsByNameRow */
        ClientsByNameRow: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /** ClientsPage */
        ClientsPage: {
            /** Data */
            data: components["schemas"]["ClientsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** ClientsRow */
        ClientsRow: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Webaccess */
            webAccess: boolean;
            /** Address */
            address: string | null;
            /** Zipcodeplus4 */
            zipCodePlus4: string | null;
            /** Phone */
            phone: string | null;
            /** Fax */
            fax: string | null;
            /** Defaultbillto */
            defaultBillTo: string | null;
            /** Requiresphysician */
            requiresPhysician: boolean;
            zipCode: components["schemas"]["ZipCodeShape"] | null;
            /** Unitscount */
            unitsCount: number;
        };
        /**
         * ClinicalResultRow
         * @description A row of the result tree; only the lab sees the value of an unreleased result.
         *
         *     Attributes:
         *         calculated: the name of the formula of a calculated result.
         *         has_no_range: whether the result is a number that was not judged, without a reference range.
         *         corrections: the earlier released results, oldest first.
         *         reason, reason_words: why the released result corrected the one before it. Outside the lab,
         *             ``corrections`` does not contain that earlier result if it was withdrawn.
         *         withheld: set while the released result is under review or withdrawn; then only the lab sees
         *             its value.
         *         released_by: who released the result, or 'Autoverification'; only the lab sees it.
         */
        ClinicalResultRow: {
            /** Key */
            key: number;
            /** Parentkey */
            parentKey: number | null;
            /** Name */
            name: string;
            /** Result */
            result: string | null;
            /** Comment */
            comment: string | null;
            /** Calculated */
            calculated: string | null;
            flag: components["schemas"]["ResultFlag"] | null;
            /** Unit */
            unit: string | null;
            /** Referencerange */
            referenceRange: string | null;
            /** Clinicalrangecomment */
            clinicalRangeComment: string | null;
            /**
             * Resultreportcomments
             * @default []
             */
            resultReportComments: string[];
            /** Isabnormal */
            isAbnormal: boolean;
            /** Iscritical */
            isCritical: boolean;
            /** Hasnorange */
            hasNoRange: boolean;
            /** Ispanel */
            isPanel: boolean;
            /** Iscorrected */
            isCorrected: boolean;
            /** Corrections */
            corrections: components["schemas"]["CorrectedResult"][];
            /** Reason */
            reason: string | null;
            /** Reasonwords */
            reasonWords: string | null;
            withheld: components["schemas"]["Withholding"] | null;
            /** Withheldat */
            withheldAt: string | null;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Status */
            status: number;
            /** Releasedby */
            releasedBy: string | null;
        };
        /**
         * CloseWrite
         * @description The closing of a notice. Without a read-back it needs a note.
         */
        CloseWrite: {
            /** Note */
            note?: string | null;
        };
        /**
         * CollectionSiteShape
         * @description A place where specimens are collected.
         */
        CollectionSiteShape: {
            /** Name */
            name: string;
        };
        /**
         * CommentChange
         * @description When the comment on an order was last changed after a release, and by whom.
         *
         *     Patients do not see the name.
         */
        CommentChange: {
            /** Changedat */
            changedAt: string;
            /** Changedby */
            changedBy: string | null;
        };
        /**
         * CommentVersion
         * @description A comment that the order has or had; ``comment`` is None where it was removed.
         */
        CommentVersion: {
            /** Comment */
            comment: string | null;
            /** Writtenat */
            writtenAt: string;
            /** Writtenby */
            writtenBy: string;
        };
        /**
         * CommentWrite
         * @description PUT report-comment: the comment on the order; an empty one removes it.
         */
        CommentWrite: {
            /** Comment */
            comment: string | null;
        };
        /**
         * CompletionRead
         * @description The missing data that somebody filled in, and whether the order was signed then.
         */
        CompletionRead: {
            /** Parts */
            parts: string[];
            /** Wassigned */
            wasSigned: boolean;
            /** Username */
            userName: string;
            /** Completedat */
            completedAt: string;
        };
        /**
         * ContactWrite
         * @description POST contacts/email; the same fields may be in the query instead.
         */
        ContactWrite: {
            /** Name */
            name?: string | null;
            /** Email */
            email?: string | null;
            /** Phone */
            phone?: string | null;
            /** Message */
            message?: string | null;
        };
        /**
         * CopiedTest
         * @description A test of a copy with its current members.
         */
        CopiedTest: {
            /** Isconfidential */
            isConfidential: boolean;
            test: components["schemas"]["TestTree"];
        };
        /**
         * CopyRead
         * @description What a new requisition copies from this one; ``left`` names the parts left out.
         */
        CopyRead: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Patientid */
            patientId: number;
            physician: components["schemas"]["PhysicianShape"] | null;
            /** Billto */
            billTo: string;
            /** Comments */
            comments: string | null;
            /** Tests */
            tests: components["schemas"]["CopiedTest"][];
            /** Diagnoses */
            diagnoses: components["schemas"]["DiagnosisOfTest"][];
            /** Additionaltestsdxcodes */
            additionalTestsDxCodes: components["schemas"]["DiagnosisShape"][];
            /** Medications */
            medications: components["schemas"]["MedicationShape"][];
            /** Billinginfo */
            billingInfo: number[];
            /** Left */
            left: string[];
        };
        /**
         * CopyShape
         * @description An additional recipient of results, as answered.
         */
        CopyShape: {
            /** Destination */
            destination: string;
            /** Type */
            type: string;
        };
        /**
         * CopyType
         * @description The destination of an additional copy or a transmission.
         * @enum {string}
         */
        CopyType: "EMAIL" | "FAX";
        /**
         * CopyWrite
         * @description An additional recipient of results: an address by EMAIL, or a number by FAX.
         */
        CopyWrite: {
            /** Destination */
            destination?: string | null;
            /** Type */
            type?: string | null;
        };
        /**
         * CorrectedResult
         * @description The earlier value of a corrected result, and who corrected it, when, and why.
         *
         *     ``corrected_by`` is None for patients.
         */
        CorrectedResult: {
            /** Result */
            result: string;
            flag: components["schemas"]["ResultFlag"] | null;
            /** Unit */
            unit: string | null;
            /** Referencerange */
            referenceRange: string | null;
            /** Comment */
            comment: string | null;
            /** Correctedat */
            correctedAt: string;
            /** Correctedby */
            correctedBy: string | null;
            /** Reason */
            reason: string | null;
            /** Words */
            words: string | null;
        };
        /**
         * CorrectedTrialResult
         * @description A result in a trial that was corrected later, or withdrawn if there is no new value.
         */
        CorrectedTrialResult: {
            /** Orderid */
            orderId: number;
            /** Codevalue */
            codeValue: string;
            /** Test */
            test: string;
            /** Result */
            result: string;
            /** Correctedresult */
            correctedResult: string | null;
        };
        /**
         * CorrectionShape
         * @description A correction of a released culture: what changed, who released it, when, and why.
         */
        CorrectionShape: {
            /** Revision */
            revision: number;
            /** Reason */
            reason: string | null;
            /** Explanation */
            explanation: string | null;
            /** Releasedby */
            releasedBy: string | null;
            /** Releasedat */
            releasedAt: string | null;
            /** Changes */
            changes: components["schemas"]["ChangeShape"][];
        };
        /**
         * CriticalAlertRead
         * @description An e-mail to a contact; ``email`` is None for one without an address, whom the lab calls.
         *
         *     ``position`` and ``name`` are those that the contact had then.
         */
        CriticalAlertRead: {
            /** Position */
            position: number;
            /** Name */
            name: string;
            /** Email */
            email: string | null;
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /** Sentat */
            sentAt: string | null;
            /** Hasfailed */
            hasFailed: boolean;
        };
        /**
         * CriticalCallRead
         * @description An attempt by the lab to notify somebody.
         */
        CriticalCallRead: {
            /** Toldname */
            toldName: string;
            method: components["schemas"]["TellingMethod"];
            /** Istold */
            isTold: boolean;
            /** Hasreadback */
            hasReadBack: boolean;
            /** Note */
            note: string | null;
            /** Madeby */
            madeBy: string;
            /**
             * Madeat
             * Format: date-time
             */
            madeAt: string;
        };
        /**
         * CriticalContactRead
         * @description A person at the client to notify, in order of ``position``.
         *
         *     Attributes:
         *         is_open: whether the hours of the contact include the present time.
         */
        CriticalContactRead: {
            /** Position */
            position: number;
            /** Name */
            name: string;
            /** Duty */
            duty: string | null;
            /** Phone */
            phone: string | null;
            /** Email */
            email: string | null;
            /** Hours */
            hours: string | null;
            /** Isopen */
            isOpen: boolean;
        };
        /**
         * CriticalItemRead
         * @description A critical result as it was released.
         */
        CriticalItemRead: {
            /** Name */
            name: string;
            /** Result */
            result: string;
            /** Flag */
            flag: string | null;
            /** Isreplaced */
            isReplaced: boolean;
            /** Replacedby */
            replacedBy: string | null;
            /** Corrects */
            corrects: string | null;
            /** Releasedat */
            releasedAt: string;
        };
        /**
         * CriticalItemSummary
         * @description A critical result in the list.
         *
         *     Attributes:
         *         is_replaced: whether clients see something else now.
         *         replaced_by: what they see instead; None while the result is under review or withdrawn.
         *         corrects: the earlier result that the client knows.
         */
        CriticalItemSummary: {
            /** Name */
            name: string;
            /** Result */
            result: string;
            /** Flag */
            flag: string | null;
            /** Isreplaced */
            isReplaced: boolean;
            /** Replacedby */
            replacedBy: string | null;
            /** Corrects */
            corrects: string | null;
        };
        /**
         * CriticalResultRead
         * @description A critical notice with everything that the lab needs for its call.
         *
         *     Attributes:
         *         items, contacts, alerts: empty outside the lab.
         */
        CriticalResultRead: {
            /** Id */
            id: number;
            /** Version */
            version: number;
            /** Orderid */
            orderId: number;
            /** Codevalue */
            codeValue: string;
            /** Clientname */
            clientName: string;
            /** Clientphone */
            clientPhone: string | null;
            /** Patientlastname */
            patientLastName: string;
            /** Patientfirstname */
            patientFirstName: string;
            /** Patientbirthdate */
            patientBirthDate: string | null;
            /** Physicianname */
            physicianName: string | null;
            /** Collectiondate */
            collectionDate: string;
            /**
             * Openedat
             * Format: date-time
             */
            openedAt: string;
            /**
             * Dueat
             * Format: date-time
             */
            dueAt: string;
            /** Isoverdue */
            isOverdue: boolean;
            /** Toldat */
            toldAt: string | null;
            /** Closedat */
            closedAt: string | null;
            /** Closedby */
            closedBy: string | null;
            /** Closingnote */
            closingNote: string | null;
            /** Items */
            items: components["schemas"]["CriticalItemRead"][];
            /** Contacts */
            contacts: components["schemas"]["CriticalContactRead"][];
            /** Calls */
            calls: components["schemas"]["CriticalCallRead"][];
            /** Alerts */
            alerts: components["schemas"]["CriticalAlertRead"][];
            canTell: components["schemas"]["Permission"];
        };
        /** CriticalResultsPage */
        CriticalResultsPage: {
            /** Data */
            data: components["schemas"]["CriticalResultsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** CriticalResultsRow */
        CriticalResultsRow: {
            /** Id */
            id: number;
            /** Orderid */
            orderId: number;
            /** Codevalue */
            codeValue: string;
            /**
             * Openedat
             * Format: date-time
             */
            openedAt: string;
            /**
             * Dueat
             * Format: date-time
             */
            dueAt: string;
            /** Toldat */
            toldAt: string | null;
            /** Closedat */
            closedAt: string | null;
            /** Isoverdue */
            isOverdue: boolean;
            /** Status */
            status: number;
            /** Patientlastname */
            patientLastName: string;
            /** Patientfirstname */
            patientFirstName: string;
            /** Patientdob */
            patientDoB: string | null;
            /** Client */
            client: string;
            /** Version */
            version: number;
            /** Toldname */
            toldName: string | null;
            /** Results */
            results: components["schemas"]["CriticalItemSummary"][];
        };
        /**
         * CultureCheck
         * @description POST check: the culture as it would be saved, and what would be rejected.
         */
        CultureCheck: {
            /** Source */
            source: string | null;
            /** Site */
            site: string | null;
            /** Collected */
            collected: string | null;
            /** Result */
            result: string | null;
            /** Findings */
            findings: components["schemas"]["FindingEntry"][];
            /** Organisms */
            organisms: components["schemas"]["OrganismEntry"][];
            /** Comment */
            comment: string | null;
            /** Preliminarycomment */
            preliminaryComment: string | null;
            /** Reasoncode */
            reasonCode: string | null;
            /** Reason */
            reason: string | null;
            /** Explanation */
            explanation: string | null;
            /** Iscorrection */
            isCorrection: boolean;
            /** Iscritical */
            isCritical: boolean;
            /** Preliminarygaps */
            preliminaryGaps: components["schemas"]["FieldMessage"][];
            /** Finalgaps */
            finalGaps: components["schemas"]["FieldMessage"][];
            /** Errors */
            errors: components["schemas"]["FieldMessage"][];
        };
        /**
         * CultureContent
         * @description The content of a version of a culture (R 3).
         */
        CultureContent: {
            /** Revision */
            revision: number;
            /** Sources */
            sources: string[];
            /** Collectionsite */
            collectionSite: string | null;
            /** Collected */
            collected: string | null;
            /** Result */
            result: string | null;
            /** Findings */
            findings: components["schemas"]["FindingShape"][];
            /** Organisms */
            organisms: components["schemas"]["OrganismShape"][];
            /** Preliminaryreleased */
            preliminaryReleased: boolean;
            /** Preliminaryresultcomment */
            preliminaryResultComment: string | null;
            /** Resultreportcomments */
            resultReportComments: string[];
            /** Iscritical */
            isCritical: boolean;
            /** Isabnormal */
            isAbnormal: boolean;
            /** Releasedat */
            releasedAt: string | null;
            /** Releasedby */
            releasedBy: string | null;
        };
        /**
         * CultureEntry
         * @description A culture as entered, with the lab's interpretations, suppressions, and open questions.
         *
         *     Attributes:
         *         preliminary_gaps, final_gaps: why it cannot be released at that stage.
         */
        CultureEntry: {
            /** Source */
            source: string | null;
            /** Site */
            site: string | null;
            /** Collected */
            collected: string | null;
            /** Result */
            result: string | null;
            /** Findings */
            findings: components["schemas"]["FindingEntry"][];
            /** Organisms */
            organisms: components["schemas"]["OrganismEntry"][];
            /** Comment */
            comment: string | null;
            /** Preliminarycomment */
            preliminaryComment: string | null;
            /** Reasoncode */
            reasonCode: string | null;
            /** Reason */
            reason: string | null;
            /** Explanation */
            explanation: string | null;
            /** Iscorrection */
            isCorrection: boolean;
            /** Iscritical */
            isCritical: boolean;
            /** Preliminarygaps */
            preliminaryGaps: components["schemas"]["FieldMessage"][];
            /** Finalgaps */
            finalGaps: components["schemas"]["FieldMessage"][];
        };
        /**
         * CultureEntryTest
         * @description A test on the microbiology entry screen.
         *
         *     Attributes:
         *         predates_specimen: whether what is entered is older than the reception of its specimen.
         *         is_released: whether its current version is released.
         *         has_release: whether any version was released, even if it is withheld now.
         *         left_because: why the reader may not release it now.
         */
        CultureEntryTest: {
            /** Ordertestid */
            orderTestId: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Specimen */
            specimen: string | null;
            /** Choices */
            choices: string[];
            /** Status */
            status: number;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Predatesspecimen */
            predatesSpecimen: boolean;
            stage: components["schemas"]["CultureStage"] | null;
            withheld: components["schemas"]["EntryWithholding"] | null;
            /** Holds */
            holds: components["schemas"]["EntryHold"][];
            /** Isentered */
            isEntered: boolean;
            /** Isreleased */
            isReleased: boolean;
            /** Hasrelease */
            hasRelease: boolean;
            /** Leftbecause */
            leftBecause: string | null;
            /** Enteredby */
            enteredBy: string | null;
            /** Enteredat */
            enteredAt: string | null;
            culture: components["schemas"]["CultureEntry"];
        };
        /**
         * CultureStage
         * @description Whether a release of a culture is preliminary or final.
         * @enum {string}
         */
        CultureStage: "preliminary" | "final";
        /**
         * CultureWrite
         * @description PUT microbiology-entry: the whole culture; without content it is withdrawn.
         */
        CultureWrite: {
            /** Source */
            source?: string | null;
            /** Site */
            site?: string | null;
            /** Collected */
            collected?: string | null;
            /** Result */
            result?: string | null;
            /**
             * Findings
             * @default []
             */
            findings: components["schemas"]["FindingWrite"][];
            /**
             * Organisms
             * @default []
             */
            organisms: components["schemas"]["OrganismWrite"][];
            /** Comment */
            comment?: string | null;
            /** Preliminarycomment */
            preliminaryComment?: string | null;
            /** Reasoncode */
            reasonCode?: string | null;
            /** Explanation */
            explanation?: string | null;
        };
        /**
         * CumulativeClient
         * @description A client through which the patient has results in a period.
         */
        CumulativeClient: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Code */
            code: string;
        };
        /**
         * CumulativeClinicalResult
         * @description A clinical result with the range by which it was judged.
         *
         *     Attributes:
         *         number: None for text.
         *         sign: the comparison sign of a value such as '<5'.
         *         is_unit_changed, is_method_changed: whether the unit or method differs from that of the
         *             previous result of the test.
         *         is_range_changed: whether the range differs from that of the previous result of the series.
         */
        CumulativeClinicalResult: {
            /** Id */
            id: number;
            /** Testid */
            testId: number;
            /** Series */
            series: string;
            /** Name */
            name: string;
            /** Result */
            result: string | null;
            /** Unit */
            unit: string | null;
            /** Resulttype */
            resultType: number;
            /** Isabnormal */
            isAbnormal: boolean;
            /** Iscritical */
            isCritical: boolean;
            /** Iscorrected */
            isCorrected: boolean;
            /** Comment */
            comment: string | null;
            /** Organisms */
            organisms: components["schemas"]["CumulativeOrganism"][];
            /** Number */
            number: number | null;
            /** Sign */
            sign: string | null;
            flag: components["schemas"]["ResultFlag"] | null;
            /** Method */
            method: string | null;
            /** Referencerange */
            referenceRange: string | null;
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
            /** Isunitchanged */
            isUnitChanged: boolean;
            /** Ismethodchanged */
            isMethodChanged: boolean;
            /** Israngechanged */
            isRangeChanged: boolean;
        };
        /** CumulativeDay[CumulativeClinicalResult] */
        CumulativeDay_CumulativeClinicalResult_: {
            /**
             * Collectiondate
             * Format: date
             */
            collectionDate: string;
            /** Orders */
            orders: components["schemas"]["CumulativeOrder_CumulativeClinicalResult_"][];
        };
        /** CumulativeDay[CumulativeMicrobiologyResult] */
        CumulativeDay_CumulativeMicrobiologyResult_: {
            /**
             * Collectiondate
             * Format: date
             */
            collectionDate: string;
            /** Orders */
            orders: components["schemas"]["CumulativeOrder_CumulativeMicrobiologyResult_"][];
        };
        /** CumulativeDay[CumulativeToxicologyResult] */
        CumulativeDay_CumulativeToxicologyResult_: {
            /**
             * Collectiondate
             * Format: date
             */
            collectionDate: string;
            /** Orders */
            orders: components["schemas"]["CumulativeOrder_CumulativeToxicologyResult_"][];
        };
        /**
         * CumulativeInfo
         * @description The patient of an order, and the patient's kinds of result in the actor's scope.
         *
         *     Name, birth date, and sex are as stored with the order. Address and phone are the patient's
         *     current ones; they are None if the patient is no longer in the actor's scope.
         */
        CumulativeInfo: {
            /** Orderid */
            orderId: number;
            /** Codevalue */
            codeValue: string;
            /** Collectiondate */
            collectionDate: string;
            /** Patientid */
            patientId: number;
            /** Patientcode */
            patientCode: string | null;
            /** Patientfirstname */
            patientFirstName: string;
            /** Patientmiddlename */
            patientMiddleName: string | null;
            /** Patientlastname */
            patientLastName: string;
            /** Patientbirthdate */
            patientBirthDate: string | null;
            /** Patientgender */
            patientGender: string;
            /** Patientaddress */
            patientAddress: string | null;
            /** Patientcity */
            patientCity: string | null;
            /** Patientstate */
            patientState: string | null;
            /** Patientzipcode */
            patientZipCode: string | null;
            /** Patientphone */
            patientPhone: string | null;
            /** Hasclinicalresult */
            hasClinicalResult: boolean;
            /** Hasmicrobiologyresult */
            hasMicrobiologyResult: boolean;
            /** Hastoxicologyresult */
            hasToxicologyResult: boolean;
        };
        /**
         * CumulativeMicrobiologyResult
         * @description A culture; ``findings`` are statements such as 'No growth' or of the Gram stain.
         */
        CumulativeMicrobiologyResult: {
            /** Id */
            id: number;
            /** Testid */
            testId: number;
            /** Series */
            series: string;
            /** Name */
            name: string;
            /** Result */
            result: string | null;
            /** Unit */
            unit: string | null;
            /** Resulttype */
            resultType: number;
            /** Isabnormal */
            isAbnormal: boolean;
            /** Iscritical */
            isCritical: boolean;
            /** Iscorrected */
            isCorrected: boolean;
            /** Comment */
            comment: string | null;
            /** Organisms */
            organisms: components["schemas"]["CumulativeOrganism"][];
            /** Source */
            source: string | null;
            /** Collectionsite */
            collectionSite: string | null;
            /** Findings */
            findings: string[];
            /** Ispreliminary */
            isPreliminary: boolean;
        };
        /** CumulativeOrder[CumulativeClinicalResult] */
        CumulativeOrder_CumulativeClinicalResult_: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Date */
            date: string;
            /** Client */
            client: string | null;
            /** Results */
            results: components["schemas"]["CumulativeClinicalResult"][];
        };
        /** CumulativeOrder[CumulativeMicrobiologyResult] */
        CumulativeOrder_CumulativeMicrobiologyResult_: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Date */
            date: string;
            /** Client */
            client: string | null;
            /** Results */
            results: components["schemas"]["CumulativeMicrobiologyResult"][];
        };
        /** CumulativeOrder[CumulativeToxicologyResult] */
        CumulativeOrder_CumulativeToxicologyResult_: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Date */
            date: string;
            /** Client */
            client: string | null;
            /** Results */
            results: components["schemas"]["CumulativeToxicologyResult"][];
        };
        /**
         * CumulativeOrganism
         * @description An organism of a culture; ``mark`` is a kind of resistance, such as MRSA.
         */
        CumulativeOrganism: {
            /** Name */
            name: string;
            /** Culturequantityname */
            cultureQuantityName: string | null;
            /** Mark */
            mark: string | null;
        };
        /**
         * CumulativeToxicologyResult
         * @description A toxicology result.
         *
         *     Attributes:
         *         verdict: the verdict that was stored when it was released.
         *         specimen_fault: why the order's specimen is invalid.
         *         is_cut_off_changed: whether the cut-off differs from that of the previous result.
         */
        CumulativeToxicologyResult: {
            /** Id */
            id: number;
            /** Testid */
            testId: number;
            /** Series */
            series: string;
            /** Name */
            name: string;
            /** Result */
            result: string | null;
            /** Unit */
            unit: string | null;
            /** Resulttype */
            resultType: number;
            /** Isabnormal */
            isAbnormal: boolean;
            /** Iscritical */
            isCritical: boolean;
            /** Iscorrected */
            isCorrected: boolean;
            /** Comment */
            comment: string | null;
            /** Organisms */
            organisms: components["schemas"]["CumulativeOrganism"][];
            /** Isdetected */
            isDetected: boolean | null;
            /** Cutoff */
            cutOff: number | null;
            /** Detectionwindow */
            detectionWindow: string | null;
            verdict: components["schemas"]["ToxicologyVerdict"] | null;
            /** Specimenfault */
            specimenFault: string | null;
            /** Iscutoffchanged */
            isCutOffChanged: boolean;
        };
        /**
         * DatabaseRead
         * @description The database. ``lag_seconds`` is the lag of the slowest standby; None without a standby.
         */
        DatabaseRead: {
            /** Version */
            version: string;
            /** Bytes */
            bytes: number;
            /** Connections */
            connections: number;
            /** Connectionsmax */
            connectionsMax: number;
            /** Standbys */
            standbys: number;
            /** Lagseconds */
            lagSeconds: number | null;
            /** Changeslasthour */
            changesLastHour: number;
            /** Pools */
            pools: components["schemas"]["PoolRead"][];
        };
        /**
         * DeliveriesRead
         * @description The state of messages that the portal sends.
         */
        DeliveriesRead: {
            /** Kinds */
            kinds: components["schemas"]["DeliveryRead"][];
            /** Senders */
            senders: components["schemas"]["SenderRead"][];
        };
        /**
         * DeliveryRead
         * @description Messages of one kind: those that wait, and those sent or failed in the last 24 hours.
         *
         *     ``next_try_at`` is the next time at which a waiting message is tried.
         */
        DeliveryRead: {
            /** Kind */
            kind: string;
            /** Waiting */
            waiting: number;
            /** Nexttryat */
            nextTryAt: string | null;
            /** Failed */
            failed: number;
            /** Sent */
            sent: number;
        };
        /** DiagnosesPage */
        DiagnosesPage: {
            /** Data */
            data: components["schemas"]["DiagnosesRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** DiagnosesRow */
        DiagnosesRow: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Description */
            description: string;
        };
        /**
         * DiagnosisOfTest
         * @description A diagnosis with the test that it supports; None when it supports all tests.
         */
        DiagnosisOfTest: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Description */
            description: string;
            /** Testid */
            testId: number | null;
        };
        /**
         * DiagnosisOfTestWrite
         * @description A diagnosis by id or by code; ``test_id`` is the ordered test that it supports, if any.
         */
        DiagnosisOfTestWrite: {
            /** Id */
            id?: number | null;
            /** Code */
            code?: string | null;
            /** Testid */
            testId?: number | null;
        };
        /**
         * DiagnosisShape
         * @description A diagnosis code with its description.
         */
        DiagnosisShape: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Description */
            description: string;
        };
        /**
         * DiagnosisValidity
         * @description The ICD-10-CM release of a day, and the requested diagnoses not valid then.
         *
         *     ``release`` is None if no code is valid on the day.
         */
        DiagnosisValidity: {
            /** Release */
            release: string | null;
            /** Ended */
            ended: components["schemas"]["DiagnosisShape"][];
        };
        /**
         * DiagnosisWrite
         * @description A diagnosis by id or by code.
         */
        DiagnosisWrite: {
            /** Id */
            id?: number | null;
            /** Code */
            code?: string | null;
        };
        /**
         * DocumentRead
         * @description The version in force, and when the caller has accepted it.
         */
        DocumentRead: {
            document: components["schemas"]["LegalDocument"];
            /** Version */
            version: string;
            /** Acceptedat */
            acceptedAt: string | null;
        };
        /**
         * DocumentVersion
         * @description A version of a document.
         */
        DocumentVersion: {
            document: components["schemas"]["LegalDocument"];
            /** Version */
            version: string;
        };
        /**
         * DraftRead
         * @description A stored draft.
         */
        DraftRead: {
            /** Requisitionid */
            requisitionId?: number | null;
            /** Patientid */
            patientId?: number | null;
            /** Content */
            content: {
                [key: string]: unknown;
            };
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /**
             * Savedat
             * Format: date-time
             */
            savedAt: string;
        };
        /**
         * DraftWrite
         * @description A draft as sent: the content of the form, with its patient and requisition.
         */
        DraftWrite: {
            /** Requisitionid */
            requisitionId?: number | null;
            /** Patientid */
            patientId?: number | null;
            /** Content */
            content: {
                [key: string]: unknown;
            };
        };
        /**
         * DueTube
         * @description A tube that the ordered tests need, as its label names it.
         */
        DueTube: {
            /** Number */
            number: number;
            /** Container */
            container: string;
            /** Specimen */
            specimen: string;
        };
        /**
         * EarlierRecipient
         * @description Somebody who received the results before their last correction or withdrawal.
         *
         *     Attributes:
         *         act: 'read', 'print', 'export', 'send', or 'may-receive' for a failed transmission that may
         *             have arrived.
         *         at: the last time before the correction.
         *         type, destination: those of an e-mail or fax.
         *         has_current: whether the same person or address also received the results after the
         *             correction. An e-mail counts once a mail server has accepted it, a fax once it is
         *             delivered.
         *         current_status: 'queued' or 'sending' while the current results wait or are sent to the
         *             address; null otherwise.
         */
        EarlierRecipient: {
            /** Name */
            name: string;
            /** Role */
            role: string | null;
            /** Act */
            act: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            type: components["schemas"]["CopyType"] | null;
            /** Destination */
            destination: string | null;
            /** Hascurrent */
            hasCurrent: boolean;
            currentStatus: components["schemas"]["SendStatus"] | null;
        };
        /**
         * EarlierRecipients
         * @description Who received the results before their last correction or withdrawal.
         *
         *     Attributes:
         *         corrected_at: the time of that change; null if there was none.
         *         withheld: why the results of ``tests`` are withheld since then; null if they were corrected.
         */
        EarlierRecipients: {
            /** Correctedat */
            correctedAt: string | null;
            withheld: components["schemas"]["Withholding"] | null;
            /** Tests */
            tests: string[];
            /** Recipients */
            recipients: components["schemas"]["EarlierRecipient"][];
        };
        /**
         * EntryHold
         * @description A hold that keeps a test from being released; ``every_order`` holds it in all orders.
         */
        EntryHold: {
            /** Id */
            id: number;
            /** Reason */
            reason: string;
            /** Words */
            words: string | null;
            /** Placedby */
            placedBy: string | null;
            /** Placedat */
            placedAt: string;
            /** Everyorder */
            everyOrder: boolean;
        };
        /**
         * EntryPatient
         * @description The patient on the result entry screen, as known when the requisition was saved.
         *
         *     ``code`` is None if the patient is no longer in the actor's scope. With ``id``, the screen
         *     follows changes of the patient's other orders.
         */
        EntryPatient: {
            /** Id */
            id: number;
            /** Code */
            code: string | null;
            /** Lastname */
            lastName: string;
            /** Firstname */
            firstName: string;
            /** Middlename */
            middleName: string | null;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string;
        };
        /**
         * EntryProgress
         * @description The numbers of an order's unreleased tests by progress; only the lab sees them.
         *
         *     ``held`` of them cannot be released until somebody lifts a hold. ``separate`` of the entered
         *     ones are cultures and pathology reports, which no release of many orders includes (ADR 48).
         */
        EntryProgress: {
            /** Open */
            open: number;
            /** Entered */
            entered: number;
            /** Held */
            held: number;
            /** Separate */
            separate: number;
        };
        /**
         * EntryRow
         * @description A test on the result entry screen.
         *
         *     Attributes:
         *         same_as: the row where the result is entered, if several panels contain the test.
         *         measured: the measured value, before it is multiplied by ``dilution``.
         *         calculated: the name of the formula of a calculated result, which a typed value replaces.
         *         comment_notice: what to check about the comment on a recalculated result.
         *         result_unit: the unit of the stored result, which was entered before ``unit`` changed.
         *         unit_notice: what to know about a result or limits in another unit than the test has now.
         *         is_delta_exceeded: whether the stored result changed more than usual.
         *         predates_specimen: whether the unreleased result is older than its specimen in the lab.
         *         waits_because: why the entered result was not released automatically.
         *         left_because: why the reader may not release it now: a hold, a missing verification, or an
         *             unreleased input of its calculation.
         *         added_because: which result led a rule to add the test.
         *         is_reason_gone: whether the result of ``added_because`` was corrected or withdrawn since.
         *         previous_difference: why the previous result cannot be compared: another unit or method.
         *         delta_percent_max: the largest usual change since the previous result.
         *         delta_days_max: the number of days within which that limit applies.
         */
        EntryRow: {
            /** Ordertestid */
            orderTestId: number;
            /** Sameas */
            sameAs: number | null;
            /** Parentid */
            parentId: number | null;
            /** Level */
            level: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Unit */
            unit: string | null;
            /** Method */
            method: string | null;
            /** Decimals */
            decimals: number | null;
            /** Referencerange */
            referenceRange: string | null;
            /** Resulttype */
            resultType: number;
            /** Choices */
            choices: string[];
            /** Normalchoices */
            normalChoices: string[];
            /** Criticalchoices */
            criticalChoices: string[];
            /** Ispanel */
            isPanel: boolean;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Predatesspecimen */
            predatesSpecimen: boolean;
            /** Result */
            result: string | null;
            /** Measured */
            measured: string | null;
            /** Dilution */
            dilution: number | null;
            /** Firstresult */
            firstResult: string | null;
            /** Calculated */
            calculated: string | null;
            /** Comment */
            comment: string | null;
            /** Commentnotice */
            commentNotice: string | null;
            /** Resultunit */
            resultUnit: string | null;
            /** Unitnotice */
            unitNotice: string | null;
            flag: components["schemas"]["ResultFlag"] | null;
            /** Status */
            status: number;
            /** Iscorrection */
            isCorrection: boolean;
            /** Isconfirmed */
            isConfirmed: boolean;
            /** Isdeltaexceeded */
            isDeltaExceeded: boolean;
            /** Reason */
            reason: string | null;
            /** Reasonwords */
            reasonWords: string | null;
            /** Waitsbecause */
            waitsBecause: string | null;
            /** Leftbecause */
            leftBecause: string | null;
            /** Addedbecause */
            addedBecause: string | null;
            /** Isreasongone */
            isReasonGone: boolean;
            /** Releasedresult */
            releasedResult: string | null;
            /** Enteredby */
            enteredBy: string | null;
            /** Verifiedby */
            verifiedBy: string | null;
            /** Releasedby */
            releasedBy: string | null;
            /** Releasedat */
            releasedAt: string | null;
            withheld: components["schemas"]["EntryWithholding"] | null;
            /** Holds */
            holds: components["schemas"]["EntryHold"][];
            /** Previousresult */
            previousResult: string | null;
            /** Previousdate */
            previousDate: string | null;
            /** Previousdays */
            previousDays: number | null;
            /** Previousdifference */
            previousDifference: string | null;
            /** Low */
            low: number | null;
            /** High */
            high: number | null;
            /** Criticallow */
            criticalLow: number | null;
            /** Criticalhigh */
            criticalHigh: number | null;
            /** Possiblelow */
            possibleLow: number | null;
            /** Possiblehigh */
            possibleHigh: number | null;
            /** Plausiblelow */
            plausibleLow: number | null;
            /** Plausiblehigh */
            plausibleHigh: number | null;
            /** Deltapercentmax */
            deltaPercentMax: number | null;
            /** Deltadaysmax */
            deltaDaysMax: number | null;
        };
        /**
         * EntryWithholding
         * @description Why and by whom a released result was put under review or withdrawn.
         */
        EntryWithholding: {
            kind: components["schemas"]["Withholding"];
            /** Reason */
            reason: string | null;
            /** Words */
            words: string | null;
            /** By */
            by: string | null;
            /** At */
            at: string;
        };
        /**
         * ExportColumnRead
         * @description A column of the exported file.
         */
        ExportColumnRead: {
            /** Name */
            name: string;
            /** Heading */
            heading: string;
            type: components["schemas"]["CellType"];
        };
        /**
         * ExportFormat
         * @description The format of an exported file.
         * @enum {string}
         */
        ExportFormat: "csv" | "xlsx";
        /**
         * ExportRead
         * @description An export, as its owner sees it.
         *
         *     Attributes:
         *         parameters: the filters, by the names of the request.
         *         rows_expected: None until the rows are counted.
         *         trouble: a message for people.
         *         expires_at: the time at which the file is deleted.
         */
        ExportRead: {
            /** Id */
            id: number;
            /** Kind */
            kind: string;
            /** Name */
            name: string;
            format: components["schemas"]["ExportFormat"];
            state: components["schemas"]["ExportState"];
            /** Parameters */
            parameters: {
                [key: string]: unknown;
            };
            /** Rowsexpected */
            rowsExpected: number | null;
            /** Rowswritten */
            rowsWritten: number;
            /** Size */
            size: number | null;
            /** Trouble */
            trouble: string | null;
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /** Startedat */
            startedAt: string | null;
            /** Finishedat */
            finishedAt: string | null;
            /** Expiresat */
            expiresAt: string | null;
            /** Isexpired */
            isExpired: boolean;
            canDownload: components["schemas"]["Permission"];
            canCancel: components["schemas"]["Permission"];
            canRemove: components["schemas"]["Permission"];
        };
        /**
         * ExportState
         * @description The state of an export: RUNNING ends with a file (DONE), a reason (FAILED), or CANCELED.
         * @enum {string}
         */
        ExportState: "queued" | "running" | "done" | "failed" | "canceled";
        /**
         * FailedJob
         * @description A job whose last try failed; without a next try, it waits for a person.
         */
        FailedJob: {
            /** Id */
            id: number;
            /** Task */
            task: string;
            /** Attempts */
            attempts: number;
            /** Failedat */
            failedAt: string | null;
            /** Nexttryat */
            nextTryAt: string | null;
        };
        /**
         * FavoriteRead
         * @description A favorite panel.
         *
         *     Attributes:
         *         tests: the tests that the requested client can order now.
         *         unavailable: tests that are withdrawn, private to another client, or not on the client's
         *             list.
         */
        FavoriteRead: {
            /** Id */
            id: number;
            /** Version */
            version: number;
            /** Name */
            name: string;
            /** Tests */
            tests: components["schemas"]["TestShape"][];
            /** Unavailable */
            unavailable: components["schemas"]["TestShape"][];
        };
        /**
         * FavoriteWrite
         * @description A favorite panel as sent; absent fields stay unchanged.
         */
        FavoriteWrite: {
            /** Name */
            name?: string | null;
            /** Tests */
            tests?: components["schemas"]["TestOfFavorite"][] | null;
        };
        /**
         * FieldChange
         * @description A value before and after a change, as people read it.
         */
        FieldChange: {
            /** Label */
            label: string;
            /** Old */
            old: string;
            /** New */
            new: string;
        };
        /**
         * FieldMessage
         * @description A message about a field of the culture, by its name on the wire.
         */
        FieldMessage: {
            /** Field */
            field: string;
            /** Message */
            message: string;
        };
        /**
         * FileRead
         * @description A file of a record.
         */
        FileRead: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * FileUpload
         * @description A file as sent, with its bytes as base64 (bare, or as a data URL).
         *
         *     Attributes:
         *         id: ignored, since the path names the record.
         *         content, file_base64: two names of the same field.
         */
        FileUpload: {
            /** Id */
            id?: number | string | null;
            /** Content */
            content?: string | null;
            /** Filebase64 */
            fileBase64?: string | null;
            /** Filename */
            fileName?: string | null;
        };
        /**
         * FindingEntry
         * @description A finding on the entry screen.
         */
        FindingEntry: {
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Quantity */
            quantity: string | null;
        };
        /**
         * FindingShape
         * @description A direct finding with its quantity.
         */
        FindingShape: {
            /** Name */
            name: string;
            /** Culturequantityname */
            cultureQuantityName: string | null;
        };
        /**
         * FindingWrite
         * @description A finding to enter.
         */
        FindingWrite: {
            /** Code */
            code: string;
            /** Quantity */
            quantity?: string | null;
        };
        /**
         * ForgottenPassword
         * @description POST /auth/user/forgot-password.
         *
         *     ``send_forgot_password_email`` has no effect: only the owner of the address may get the link, so
         *     it is always mailed.
         */
        ForgottenPassword: {
            /** Loginid */
            loginId: string;
            /** Applicationid */
            applicationId?: string | null;
            /**
             * Sendforgotpasswordemail
             * @default true
             */
            sendForgotPasswordEmail: boolean;
        };
        /**
         * FrequentTest
         * @description A frequently ordered test, as in the list of tests.
         */
        FrequentTest: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Alternatenames */
            alternateNames: string;
            /** Type */
            type: string;
            /** Specimen */
            specimen: string | null;
            /** Container */
            container: string | null;
        };
        /** GenderIdentitiesPage */
        GenderIdentitiesPage: {
            /** Data */
            data: components["schemas"]["GenderIdentitiesRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** GenderIdentitiesRow */
        GenderIdentitiesRow: {
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * HoldRecord
         * @description A hold on a test of the order, with who placed it, and who lifted it and when.
         */
        HoldRecord: {
            /** Id */
            id: number;
            /** Test */
            test: string;
            /** Reason */
            reason: string;
            /** Words */
            words: string | null;
            /** Everyorder */
            everyOrder: boolean;
            /** Placedby */
            placedBy: string | null;
            /** Placedat */
            placedAt: string;
            /** Liftedby */
            liftedBy: string | null;
            /** Liftedat */
            liftedAt: string | null;
            /** Liftedwords */
            liftedWords: string | null;
        };
        /**
         * HoldRequest
         * @description POST holds: keep tests from being released, in this order or in every order.
         */
        HoldRequest: {
            /** Reason */
            reason: string;
            /** Words */
            words?: string | null;
            /** Ordertestids */
            orderTestIds: number[];
            /** Everyorder */
            everyOrder?: boolean | null;
        };
        /**
         * IdOf
         * @description A reference to a record by id.
         */
        IdOf: {
            /** Id */
            id: number;
        };
        /**
         * InsuranceList
         * @description The patient's insurance rows, bare or under ``insuranceInformation``.
         */
        InsuranceList: {
            /** Insuranceinformation */
            insuranceInformation: components["schemas"]["InsuranceWrite"][] | null;
        };
        /**
         * InsuranceRow
         * @description An insurance row as returned; ``order`` counts from 1.
         */
        InsuranceRow: {
            /** Id */
            id: number;
            /** Order */
            order: number;
            /** Billtypeid */
            billTypeId: number;
            /** Billtype */
            billType: string;
            /** Payerid */
            payerId: number;
            /** Payer */
            payer: string;
            /** Insuranceid */
            insuranceId: string;
            /** Groupnumber */
            groupNumber: string | null;
            /** Relationship */
            relationship: string | null;
            /** Differentthanpatient */
            differentThanPatient: boolean;
            /** Lastname */
            lastName: string | null;
            /** Firstname */
            firstName: string | null;
            /** Middlename */
            middleName: string | null;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string | null;
            /** Phone */
            phone: string | null;
            /** Address */
            address: string | null;
            zipCode: components["schemas"]["ZipCodeShape"] | null;
            /** Zipcodeid */
            zipCodeId: number | null;
            /** Zipcodeplus4 */
            zipCodePlus4: string | null;
            /** Missinginformation */
            missingInformation: boolean;
        };
        /**
         * InsuranceWrite
         * @description An insurance row as sent.
         *
         *     Attributes:
         *         id: the id of an existing row.
         *         order: the position of the row.
         */
        InsuranceWrite: {
            /** Id */
            id?: number | null;
            /** Order */
            order?: number | null;
            /** Billtypeid */
            billTypeId?: number | null;
            /** Payerid */
            payerId?: number | null;
            /** Insuranceid */
            insuranceId?: string | null;
            /** Groupnumber */
            groupNumber?: string | null;
            /** Relationship */
            relationship?: string | null;
            /**
             * Differentthanpatient
             * @default false
             */
            differentThanPatient: boolean;
            /** Lastname */
            lastName?: string | null;
            /** Firstname */
            firstName?: string | null;
            /** Middlename */
            middleName?: string | null;
            /** Birthdate */
            birthDate?: string | null;
            /** Gender */
            gender?: string | null;
            /** Phone */
            phone?: string | null;
            /** Address */
            address?: string | null;
            zipCode?: components["schemas"]["ZipCodeRef"] | null;
            /** Zipcodeid */
            zipCodeId?: number | null;
            /** Zipcodeplus4 */
            zipCodePlus4?: string | null;
        };
        /**
         * JobsRead
         * @description Background jobs by task, and the newest that failed.
         */
        JobsRead: {
            /** Tasks */
            tasks: components["schemas"]["TaskRead"][];
            /** Failed */
            failed: components["schemas"]["FailedJob"][];
            /** Workers */
            workers: number;
        };
        /**
         * LabDataChange
         * @description A change of a row: 'create', 'change', or 'import'.
         */
        LabDataChange: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** User */
            user: string | null;
            /** Action */
            action: string;
            /** Fields */
            fields: components["schemas"]["FieldChange"][];
        };
        /**
         * LabDataField
         * @description A field of a kind.
         *
         *     Attributes:
         *         type: the type of its values.
         *         empty: what people read where nothing is chosen; null if that means nothing.
         *         lookup: what its values refer to.
         */
        LabDataField: {
            /** Name */
            name: string;
            /** Label */
            label: string;
            /** Type */
            type: string;
            /** Required */
            required: boolean;
            /** Upper */
            upper: boolean;
            /** Maxlength */
            maxLength: number;
            /** Choices */
            choices: string[];
            /** Empty */
            empty: string | null;
            /** Lookup */
            lookup: string | null;
            /** Fixed */
            fixed: boolean;
            /** Ingrid */
            inGrid: boolean;
            /** Default */
            default: string | number | boolean | string[] | null;
        };
        /**
         * LabDataImport
         * @description The changes of a file; ``rows`` are the first rows with errors or changes.
         */
        LabDataImport: {
            /** Token */
            token: string;
            /** Added */
            added: number;
            /** Changed */
            changed: number;
            /** Unchanged */
            unchanged: number;
            /** Rejected */
            rejected: number;
            /** Rows */
            rows: components["schemas"]["LabDataImportRow"][];
        };
        /**
         * LabDataImportRow
         * @description A row of a file: what would change, or what is wrong; ``number`` is the spreadsheet's.
         */
        LabDataImportRow: {
            /** Number */
            number: number;
            /** Name */
            name: string;
            /** Isnew */
            isNew: boolean;
            /** Changes */
            changes: components["schemas"]["FieldChange"][];
            /** Errors */
            errors: string[];
        };
        /**
         * LabDataImportWrite
         * @description A CSV file in base64; ``token`` is from the preview to apply.
         */
        LabDataImportWrite: {
            /** Content */
            content: string;
            /** Token */
            token?: string | null;
        };
        /**
         * LabDataKind
         * @description A kind of data. ``children`` are the kinds whose rows belong to one of its rows.
         */
        LabDataKind: {
            /** Key */
            key: string;
            /** Title */
            title: string;
            /** Singular */
            singular: string;
            /** Group */
            group: string;
            /** Fields */
            fields: components["schemas"]["LabDataField"][];
            /** Identity */
            identity: string[];
            /** Parent */
            parent: string | null;
            /** Children */
            children: string[];
            canChange: components["schemas"]["Permission"];
        };
        /**
         * LabDataLimits
         * @description A number of limits, and what people call one and several of them.
         */
        LabDataLimits: {
            /** Singular */
            singular: string;
            /** Title */
            title: string;
            /** Count */
            count: number;
        };
        /**
         * LabDataOffer
         * @description A record that a field can refer to.
         */
        LabDataOffer: {
            /** Key */
            key: string;
            /** Name */
            name: string | null;
        };
        /** LabDataPage */
        LabDataPage: {
            /** Data */
            data: components["schemas"]["LabDataRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /**
         * LabDataRead
         * @description A row of a kind; ``name`` is what people call it.
         *
         *     ``notes`` explain stored values, by the names of their fields.
         *     ``unit_limits`` are the limits in the unit of a lab test, which no longer apply once the test
         *     has another unit (ADR 102). Other kinds have none.
         */
        LabDataRead: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Values */
            values: {
                [key: string]: string | number | boolean | string[] | null;
            };
            /** Notes */
            notes: {
                [key: string]: string;
            };
            /** Version */
            version: number;
            canChange: components["schemas"]["Permission"];
            /** Unitlimits */
            unitLimits: components["schemas"]["LabDataLimits"][];
        };
        /**
         * LabDataRow
         * @description A row of a kind's list: its id, and its values by the names of their fields.
         */
        LabDataRow: {
            /** Id */
            id: number;
        } & {
            [key: string]: string | number | boolean | string[] | null;
        };
        /**
         * LabDataWrite
         * @description The values of a row by the names of their fields; absent values stay unchanged.
         */
        LabDataWrite: {
            /** Values */
            values: {
                [key: string]: unknown;
            };
        };
        /**
         * LabFields
         * @description The lab's name, addresses and license; a field is null when the lab has not set it.
         */
        LabFields: {
            /** Name */
            name?: string | null;
            /** Title */
            title?: string | null;
            /** Address */
            address?: string | null;
            /** Phone */
            phone?: string | null;
            /** Fax */
            fax?: string | null;
            /** Email */
            email?: string | null;
            /** Url */
            url?: string | null;
            /** Clia */
            clia?: string | null;
            /** Director */
            director?: string | null;
        };
        /**
         * LabLogo
         * @description The lab's logo as a data URL; null without one.
         */
        LabLogo: {
            /** Logo */
            logo: string | null;
        };
        /**
         * LabSettingsChange
         * @description Settings that somebody changed in one save.
         */
        LabSettingsChange: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** User */
            user: string | null;
            /** Changes */
            changes: components["schemas"]["SettingChange"][];
        };
        /**
         * LabSettingsRead
         * @description All settings of the lab.
         *
         *     Attributes:
         *         contact_email, supply_email: where messages and supply requests to the lab go.
         *         desktop_app_url: the page from which people download the desktop app.
         */
        LabSettingsRead: {
            /** Name */
            name?: string | null;
            /** Title */
            title?: string | null;
            /** Address */
            address?: string | null;
            /** Phone */
            phone?: string | null;
            /** Fax */
            fax?: string | null;
            /** Email */
            email?: string | null;
            /** Url */
            url?: string | null;
            /** Clia */
            clia?: string | null;
            /** Director */
            director?: string | null;
            /** Logo */
            logo: string | null;
            /** Desktopappurl */
            desktopAppUrl: string | null;
            /** Contactemail */
            contactEmail: string | null;
            /** Supplyemail */
            supplyEmail: string | null;
            /** Resultentryenabled */
            resultEntryEnabled: boolean;
            /** Resultentrysuperuser */
            resultEntrySuperUser: boolean;
            /** Resultentryclientadmin */
            resultEntryClientAdmin: boolean;
            /** Resultentryclientbasic */
            resultEntryClientBasic: boolean;
            /** Resultverificationrequired */
            resultVerificationRequired: boolean;
            /** Autoverificationenabled */
            autoverificationEnabled: boolean;
            /** Missinginfoenabled */
            missingInfoEnabled: boolean;
            /** Criticalminutes */
            criticalMinutes: number;
            /** Abnormalresult */
            abnormalResult: string | null;
            /** Resultcolumns */
            resultColumns: components["schemas"]["ResultColumnRead"][];
            /** Secondfactorroles */
            secondFactorRoles: components["schemas"]["Role"][];
            /** Auditretentionyears */
            auditRetentionYears: number;
            /** Timezone */
            timeZone: string;
            /** Version */
            version: number;
            canChange: components["schemas"]["Permission"];
        };
        /**
         * LabSettingsWrite
         * @description PUT lab-settings: absent fields stay unchanged.
         *
         *     ``logo`` is a data URL; ``result_columns`` are ids of tests.
         */
        LabSettingsWrite: {
            /** Logo */
            logo?: string | null;
            /** Title */
            title?: string | null;
            /** Name */
            name?: string | null;
            /** Address */
            address?: string | null;
            /** Phone */
            phone?: string | null;
            /** Fax */
            fax?: string | null;
            /** Email */
            email?: string | null;
            /** Url */
            url?: string | null;
            /** Desktopappurl */
            desktopAppUrl?: string | null;
            /** Clia */
            clia?: string | null;
            /** Director */
            director?: string | null;
            /** Contactemail */
            contactEmail?: string | null;
            /** Supplyemail */
            supplyEmail?: string | null;
            /** Resultentryenabled */
            resultEntryEnabled?: boolean | null;
            /** Resultentrysuperuser */
            resultEntrySuperUser?: boolean | null;
            /** Resultentryclientadmin */
            resultEntryClientAdmin?: boolean | null;
            /** Resultentryclientbasic */
            resultEntryClientBasic?: boolean | null;
            /** Resultverificationrequired */
            resultVerificationRequired?: boolean | null;
            /** Autoverificationenabled */
            autoverificationEnabled?: boolean | null;
            /** Missinginfoenabled */
            missingInfoEnabled?: boolean | null;
            /** Criticalminutes */
            criticalMinutes?: number | null;
            /** Abnormalresult */
            abnormalResult?: string | null;
            /** Resultcolumns */
            resultColumns?: number[] | null;
            /** Secondfactorroles */
            secondFactorRoles?: components["schemas"]["Role"][] | null;
            /** Auditretentionyears */
            auditRetentionYears?: number | null;
            /** Timezone */
            timeZone?: string | null;
        };
        /**
         * LabelChoice
         * @description A label of a requisition.
         */
        LabelChoice: {
            /** Requisitionid */
            requisitionId: number;
            /** Key */
            key: string;
        };
        /**
         * LabelPrintRead
         * @description A print of a requisition's labels: who, where, when, and with which outcome.
         */
        LabelPrintRead: {
            /** Printedbyname */
            printedByName: string;
            /** Printer */
            printer: string;
            /** Workstation */
            workstation: string;
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /** Endedat */
            endedAt: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "started" | "confirmed" | "sent" | "failed" | "stopped";
            /** Labels */
            labels: number;
            /** Copies */
            copies: number;
            /** Copynumber */
            copyNumber: number;
            /** Printed */
            printed: number;
            /** Unknown */
            unknown: number;
        };
        /**
         * LabelPrintRequest
         * @description Labels to print now.
         *
         *     Attributes:
         *         job: the id of the print job.
         *         only: the labels to print; without it, all labels of the requisitions.
         *         printer, workstation: names.
         */
        LabelPrintRequest: {
            /** Job */
            job: string;
            /** Ids */
            ids: number[];
            /** Only */
            only?: components["schemas"]["LabelChoice"][] | null;
            /**
             * Copies
             * @default 1
             */
            copies: number;
            /** Printer */
            printer: string;
            /**
             * Workstation
             * @default
             */
            workstation: string;
            /**
             * Dpi
             * @default 203
             * @enum {string}
             */
            dpi: "203" | "300" | "600";
            /**
             * Size
             * @default 2x1
             * @enum {string}
             */
            size: "2x1" | "2.25x1.25" | "3x1" | "3x2" | "4x2";
        };
        /**
         * LabelPrintStarted
         * @description The labels of a print job, drawn for its printer, and the codes of their requisitions.
         */
        LabelPrintStarted: {
            /** Job */
            job: string;
            /** Codes */
            codes: string[];
            /** Labels */
            labels: components["schemas"]["LabelRead"][];
        };
        /**
         * LabelRead
         * @description A label.
         *
         *     Attributes:
         *         image: a base64 PNG.
         *         epl: one character for each byte (Latin-1).
         *         key: identifies the label within its requisition.
         *         copy_number: 1 unless the same label was printed before.
         */
        LabelRead: {
            /** Requisitionid */
            requisitionId: number;
            /** Key */
            key: string;
            /** Copynumber */
            copyNumber: number;
            /** Title */
            title: string;
            /** Image */
            image: string;
            /** Zpl */
            zpl: string;
            /** Epl */
            epl: string;
        };
        /**
         * LastValue
         * @description A released result of an earlier order; ``number`` is None for text.
         */
        LastValue: {
            /** Collectiondate */
            collectionDate: string;
            /** Result */
            result: string;
            /** Number */
            number: number | null;
            flag: components["schemas"]["ResultFlag"] | null;
        };
        /**
         * LastValues
         * @description The patient's earlier results of a row's analyte, by the same method, oldest first.
         */
        LastValues: {
            /** Key */
            key: number;
            /** Values */
            values: components["schemas"]["LastValue"][];
        };
        /**
         * LegalDocument
         * @description A document that everybody accepts.
         * @enum {string}
         */
        LegalDocument: "privacy" | "terms";
        /**
         * LegalRead
         * @description The documents in force; ``is_due`` says that the caller still has to accept one.
         */
        LegalRead: {
            /** Documents */
            documents: components["schemas"]["DocumentRead"][];
            /** Isdue */
            isDue: boolean;
        };
        /**
         * LiftRequest
         * @description POST lift: end a hold, so that the results of its test can be released again.
         */
        LiftRequest: {
            /** Words */
            words?: string | null;
        };
        /**
         * LimitsWrite
         * @description The limits of a rule, for the unit and method that its test has now.
         *
         *     The largest change in percent counts within ``delta_days``, or always if the days are empty.
         */
        LimitsWrite: {
            /** Low */
            low: number | string;
            /** High */
            high: number | string;
            /**
             * Allowsabnormal
             * @default false
             */
            allowsAbnormal: boolean;
            /** Deltapercent */
            deltaPercent?: number | string | null;
            /** Deltadays */
            deltaDays?: number | null;
        };
        /**
         * LookAlike
         * @description A patient who looks like the one being typed, and why; ``ssn`` is masked.
         */
        LookAlike: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Lastname */
            lastName: string;
            /** Firstname */
            firstName: string;
            /** Middlename */
            middleName: string | null;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string;
            /** Clientname */
            clientName: string | null;
            /** Ssn */
            ssn: string | null;
            /** Reasons */
            reasons: components["schemas"]["LookAlikeReason"][];
        };
        /**
         * LookAlikeQuery
         * @description The typed values of a patient; ``patient_id`` names the patient being edited, if any.
         */
        LookAlikeQuery: {
            /** Lastname */
            lastName?: string | null;
            /** Firstname */
            firstName?: string | null;
            /** Birthdate */
            birthDate?: string | null;
            /** Socialsecuritynumber */
            socialSecurityNumber?: string | null;
            /** Patientid */
            patientId?: number | null;
        };
        /**
         * LookAlikeReason
         * @description Why a patient looks like the one being typed, the strongest reason first.
         * @enum {string}
         */
        LookAlikeReason: "sameSsn" | "sameBirthDate" | "sameName" | "namesSwapped" | "similarName";
        /**
         * MedicationShape
         * @description A medication as answered.
         */
        MedicationShape: {
            /** Name */
            name: string;
        };
        /**
         * MedicationWrite
         * @description A medication by its name, as free text, or by the ``id`` of one that the patient has.
         */
        MedicationWrite: {
            /** Id */
            id?: number | null;
            /** Name */
            name?: string | null;
        };
        /** MedicationsPage */
        MedicationsPage: {
            /** Data */
            data: components["schemas"]["MedicationsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** MedicationsRow */
        MedicationsRow: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * MicrobiologyEntry
         * @description The microbiology entry screen of one order.
         */
        MicrobiologyEntry: {
            /** Orderid */
            orderId: number;
            /** Codevalue */
            codeValue: string;
            /** Version */
            version: number;
            /** Status */
            status: number;
            /** Clientname */
            clientName: string;
            /** Collectiondate */
            collectionDate: string;
            /** Specimencondition */
            specimenCondition: string;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Reportcomment */
            reportComment: string | null;
            /** Reported */
            reported: string | null;
            patient: components["schemas"]["EntryPatient"];
            /** Holdrecords */
            holdRecords: components["schemas"]["HoldRecord"][];
            canEnterResults: components["schemas"]["Permission"];
            canRelease: components["schemas"]["Permission"];
            /** Tests */
            tests: components["schemas"]["CultureEntryTest"][];
        };
        /**
         * MicrobiologyLists
         * @description The lab's lists for the entry of cultures, in its order.
         */
        MicrobiologyLists: {
            /** Breakpointedition */
            breakpointEdition: string | null;
            /** Sources */
            sources: components["schemas"]["TermShape"][];
            /** Sites */
            sites: components["schemas"]["TermShape"][];
            /** Quantities */
            quantities: components["schemas"]["TermShape"][];
            /** Findings */
            findings: components["schemas"]["TermShape"][];
            /** Marks */
            marks: components["schemas"]["TermShape"][];
            /** Organisms */
            organisms: components["schemas"]["OrganismChoice"][];
            /** Antibiotics */
            antibiotics: components["schemas"]["AntibioticChoice"][];
        };
        /**
         * MicrobiologyRelease
         * @description POST microbiology-release: these tests, or all with something new when null.
         */
        MicrobiologyRelease: {
            kind: components["schemas"]["CultureStage"];
            /** Ordertestids */
            orderTestIds?: number[] | null;
        };
        /**
         * MicrobiologyResult
         * @description A culture of an order, as in its newest version.
         *
         *     Attributes:
         *         withheld: set while the released culture is under review or withdrawn; then only the lab
         *             sees its content.
         *         label: as in R 4.
         *         earlier: the released versions before this one, newest first.
         */
        MicrobiologyResult: {
            /** Revision */
            revision: number;
            /** Sources */
            sources: string[];
            /** Collectionsite */
            collectionSite: string | null;
            /** Collected */
            collected: string | null;
            /** Result */
            result: string | null;
            /** Findings */
            findings: components["schemas"]["FindingShape"][];
            /** Organisms */
            organisms: components["schemas"]["OrganismShape"][];
            /** Preliminaryreleased */
            preliminaryReleased: boolean;
            /** Preliminaryresultcomment */
            preliminaryResultComment: string | null;
            /** Resultreportcomments */
            resultReportComments: string[];
            /** Iscritical */
            isCritical: boolean;
            /** Isabnormal */
            isAbnormal: boolean;
            /** Releasedat */
            releasedAt: string | null;
            /** Releasedby */
            releasedBy: string | null;
            /** Key */
            key: number;
            /** Name */
            name: string;
            /** Status */
            status: number;
            withheld: components["schemas"]["Withholding"] | null;
            /** Withheldat */
            withheldAt: string | null;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Label */
            label: string;
            /** Resulttype */
            resultType: number;
            /** Tests */
            tests: string[];
            /** Corrections */
            corrections: components["schemas"]["CorrectionShape"][];
            /** Earlier */
            earlier: components["schemas"]["CultureContent"][];
        };
        /**
         * MissingInfoSettings
         * @description Whether the lab offers to fill in missing information.
         */
        MissingInfoSettings: {
            /** Enabled */
            enabled: boolean;
        };
        /**
         * Named
         * @description An id with a name.
         */
        Named: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * NewPassword
         * @description POST /auth/user/reset-password; ``change_password_id`` is the secret of the link.
         */
        NewPassword: {
            /** Changepasswordid */
            changePasswordId: string;
            /** Password */
            password: string;
        };
        /**
         * ObstacleCount
         * @description How many results would have waited for this reason.
         */
        ObstacleCount: {
            /** Reason */
            reason: string;
            /** Words */
            words: string;
            /** Count */
            count: number;
        };
        /**
         * OpenSession
         * @description An open session of the caller.
         *
         *     Attributes:
         *         device: the browser and the system, as the browser describes itself.
         *         address: the network address of the sign-in.
         */
        OpenSession: {
            /** Id */
            id: string;
            /** Device */
            device: string;
            /** Address */
            address: string;
            /**
             * Signedinat
             * Format: date-time
             */
            signedInAt: string;
            /**
             * Lastusedat
             * Format: date-time
             */
            lastUsedAt: string;
            /** Iscurrent */
            isCurrent: boolean;
        };
        /**
         * OperationsRead
         * @description All panels.
         */
        OperationsRead: {
            portal: components["schemas"]["PortalRead"];
            database: components["schemas"]["DatabaseRead"];
            jobs: components["schemas"]["JobsRead"];
            deliveries: components["schemas"]["DeliveriesRead"];
            backup: components["schemas"]["BackupRead"];
            audit: components["schemas"]["AuditRead"];
        };
        /**
         * OrderBillingRead
         * @description The missing-information form of an order.
         *
         *     Attributes:
         *         missing: the names of the form's parts that lack something.
         *         patient_version: None for a patient outside the actor's scope.
         *         ordering_physician: the same as ``physician``, under the name that R 3 gives it.
         *         insurance_information: the rows that the order bills, or all of the patient's where it bills
         *             none.
         */
        OrderBillingRead: {
            /** Orderid */
            orderId: number;
            /** Ordercode */
            orderCode: string;
            /** Version */
            version: number;
            /** Billto */
            billTo: string;
            /** Missing */
            missing: string[];
            /** Patientid */
            patientId: number;
            /** Patientversion */
            patientVersion: number | null;
            /** Lastname */
            lastName: string;
            /** Firstname */
            firstName: string;
            /** Middlename */
            middleName: string | null;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string;
            /** Address */
            address: string | null;
            /** Phone */
            phone: string | null;
            /** Zipcodename */
            zipCodeName: string | null;
            /** Zipcodeplus4 */
            zipCodePlus4: string | null;
            physician: components["schemas"]["PhysicianShape"] | null;
            orderingPhysician: components["schemas"]["PhysicianShape"] | null;
            /** Tests */
            tests: components["schemas"]["RequisitionTestRead"][];
            /** Collectiondate */
            collectionDate: string;
            /** Diagnoses */
            diagnoses: components["schemas"]["DiagnosisOfTest"][];
            /** Insuranceinformation */
            insuranceInformation: components["schemas"]["InsuranceRow"][];
            /** Responsibleparties */
            responsibleParties: components["schemas"]["ResponsibleParty"][];
            /** Comment */
            comment: string | null;
            /** Completions */
            completions: components["schemas"]["CompletionRead"][];
            canChange: components["schemas"]["Permission"];
            canChangePhysician: components["schemas"]["Permission"];
            canChangeDiagnoses: components["schemas"]["Permission"];
            canChangeBilling: components["schemas"]["Permission"];
            canChangeBirthDate: components["schemas"]["Permission"];
            canChangeComment: components["schemas"]["Permission"];
        };
        /**
         * OrderBillingWrite
         * @description PUT billing-information; absent fields and the patient's other rows stay unchanged.
         *
         *     The If-Match header has the version of the order.
         *
         *     Attributes:
         *         username: ignored, because the token identifies the user.
         *         patient_version: the version of the patient.
         */
        OrderBillingWrite: {
            /** Orderid */
            orderId?: number | null;
            /** Patientid */
            patientId?: number | null;
            /** Patientversion */
            patientVersion?: number | null;
            /** Birthdate */
            birthDate?: string | null;
            /** Gender */
            gender?: string | null;
            /** Physicianid */
            physicianId?: number | null;
            /** Diagnoses */
            diagnoses?: components["schemas"]["DiagnosisOfTestWrite"][] | null;
            /** Insuranceinformation */
            insuranceInformation?: components["schemas"]["InsuranceWrite"][] | null;
            /** Responsibleparties */
            responsibleParties?: components["schemas"]["ResponsiblePartyWrite"][] | null;
            /** Username */
            username?: string | null;
            /** Comments */
            comments?: string | null;
        };
        /**
         * OrderDocumentRead
         * @description A document of an order, and whether the actor may remove it.
         */
        OrderDocumentRead: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            canRemove: components["schemas"]["Permission"];
        };
        /**
         * OrderExportRequest
         * @description The orders to export: all that a search finds, with its columns, in its order.
         *
         *     ``summary`` are the conditions in words, which the export shows to its owner.
         */
        OrderExportRequest: {
            /** Query */
            query?: unknown;
            /** Summary */
            summary?: string | null;
            /** Columns */
            columns?: string[] | null;
            /** Sort */
            sort?: string | null;
            /** @default csv */
            format: components["schemas"]["ExportFormat"];
        };
        /**
         * OrderRead
         * @description An order with the sections of its header.
         */
        OrderRead: {
            /** Id */
            id: number;
            /** Codevalue */
            codeValue: string;
            /** Version */
            version: number;
            /** Status */
            status: number;
            /** Hasalert */
            hasAlert: boolean;
            /** Alert */
            alert: string | null;
            /** Alertbadges */
            alertBadges: string[];
            /** Criticalkinds */
            criticalKinds: components["schemas"]["ResultKind"][];
            /** Hassignature */
            hasSignature: boolean;
            /** Hastoxicologyunexpectedpositive */
            hasToxicologyUnexpectedPositive: boolean;
            patient: components["schemas"]["PatientOfOrder"];
            physician: components["schemas"]["PhysicianShape"] | null;
            patientClient: components["schemas"]["ClientOfOrder"] | null;
            /** Collectiondate */
            collectionDate: string;
            /** Receiveddate */
            receivedDate: string;
            /** Reported */
            reported: string | null;
            /** Specimencondition */
            specimenCondition: string;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Collectionsites */
            collectionSites: components["schemas"]["PlaceName"][];
            /** Entryalert */
            entryAlert: string | null;
            /** Hasmissinginfo */
            hasMissingInfo: boolean;
            /** Cancellationreasons */
            cancellationReasons: components["schemas"]["CancellationReason"][];
            /** Addedtests */
            addedTests: components["schemas"]["AddedTestRead"][];
            /** Reportcomment */
            reportComment: string | null;
            commentChange: components["schemas"]["CommentChange"] | null;
            /** Requisitionid */
            requisitionId: number;
            /** Requisitioncode */
            requisitionCode: string | null;
            /** Onlineackuser */
            onlineAckUser: string | null;
            /** Onlineackdatetime */
            onlineAckDateTime: string | null;
            /** Isunread */
            isUnread: boolean;
            /** Isunreadbyphysician */
            isUnreadByPhysician: boolean;
            reopened: components["schemas"]["ReopenedAcknowledgment"] | null;
            canAcknowledge: components["schemas"]["Permission"];
            canComplete: components["schemas"]["Permission"];
            canAttach: components["schemas"]["Permission"];
            canSign: components["schemas"]["Permission"];
            canUnsign: components["schemas"]["Permission"];
            canEnterResults: components["schemas"]["Permission"];
            canRelease: components["schemas"]["Permission"];
            canCancel: components["schemas"]["Permission"];
            canReinstate: components["schemas"]["Permission"];
        };
        /**
         * OrderResult
         * @description The released result of a configured test, in the order search.
         *
         *     Attributes:
         *         results: the value as reported ('<5', 'POSITIVE').
         *         report_as: the value with its unit.
         *         has_no_range: whether it is a number that was not judged.
         */
        OrderResult: {
            /** Testid */
            testId: number;
            /** Results */
            results: string;
            /** Reportas */
            reportAs: string;
            flag: components["schemas"]["ResultFlag"] | null;
            /** Isabnormal */
            isAbnormal: boolean;
            /** Iscritical */
            isCritical: boolean;
            /** Hasnorange */
            hasNoRange: boolean;
        };
        /** OrderSearchPage */
        OrderSearchPage: {
            /** Data */
            data: components["schemas"]["OrderSearchRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /**
         * OrderSearchRequest
         * @description A search: conditions, columns, and the page of its rows.
         *
         *     ``query`` is a group ``{combinator, not?, rules}``; without it every order matches.
         */
        OrderSearchRequest: {
            /** Query */
            query?: unknown;
            /** Columns */
            columns?: string[] | null;
            /**
             * Skip
             * @default 0
             */
            skip: number;
            /** Take */
            take?: number | null;
            /** Sort */
            sort?: string | null;
            /** After */
            after?: string | null;
        };
        /** OrderSearchRow */
        OrderSearchRow: {
            /** Id */
            id: number;
            /** Version */
            version: number;
            /** Code */
            code?: string | null;
            /** Status */
            status?: number | null;
            /** Collectiondate */
            collectionDate?: string | null;
            /** Receiveddate */
            receivedDate?: string | null;
            /** Reporteddate */
            reportedDate?: string | null;
            /** Requisitioncode */
            requisitionCode?: string | null;
            /** Priority */
            priority?: string | null;
            /** Fasting */
            fasting?: string | null;
            /** Billto */
            billTo?: string | null;
            /** Collectionsite */
            collectionSite?: string | null;
            /** Specimencondition */
            specimenCondition?: string | null;
            /** Cancellationreason */
            cancellationReason?: string[] | null;
            /** Lastname */
            lastName?: string | null;
            /** Firstname */
            firstName?: string | null;
            /** Middlename */
            middleName?: string | null;
            /** Patientcode */
            patientCode?: string | null;
            /** Birthdate */
            birthDate?: string | null;
            /** Age */
            age?: number | null;
            /** Gender */
            gender?: string | null;
            /** Client */
            client?: string | null;
            /** Unit */
            unit?: string | null;
            /** Room */
            room?: string | null;
            /** Bed */
            bed?: string | null;
            /** Physician */
            physician?: string | null;
            /** Physiciannpi */
            physicianNpi?: string | null;
            /** Orderedtest */
            orderedTest?: string[] | null;
            /** Orderedtestname */
            orderedTestName?: string[] | null;
            /** Diagnosis */
            diagnosis?: string[] | null;
            /** Hasalert */
            hasAlert?: boolean | null;
            /** Hascritical */
            hasCritical?: boolean | null;
            /** Hasabnormal */
            hasAbnormal?: boolean | null;
            /** Culturesource */
            cultureSource?: string[] | null;
            /** Culturesite */
            cultureSite?: string[] | null;
            /** Organism */
            organism?: string[] | null;
            /** Resistancemark */
            resistanceMark?: string[] | null;
            /** Susceptibility */
            susceptibility?: string | null;
            /** Signed */
            signed?: boolean | null;
            /** Signedby */
            signedBy?: string | null;
            /** Acknowledged */
            acknowledged?: boolean | null;
            /** Acknowledgedby */
            acknowledgedBy?: string | null;
            /** Acknowledgeddate */
            acknowledgedDate?: string | null;
            /** Missinginfo */
            missingInfo?: boolean | null;
            /** Awaitscollection */
            awaitsCollection?: boolean | null;
            /** Unread */
            unread?: boolean | null;
            /** Unreadbyphysician */
            unreadByPhysician?: boolean | null;
        };
        /**
         * OrderVersion
         * @description The id and the new version of an order.
         */
        OrderVersion: {
            /** Id */
            id: number;
            /** Version */
            version: number;
        };
        /**
         * OrderVersions
         * @description The changed orders.
         */
        OrderVersions: {
            /** Data */
            data: components["schemas"]["OrderVersion"][];
        };
        /**
         * OrderedTestRead
         * @description A test or panel of an order.
         *
         *     ``can_cancel`` is false for canceled tests and for those with released results.
         */
        OrderedTestRead: {
            /** Id */
            id: number;
            /** Parentid */
            parentId: number | null;
            /** Level */
            level: number;
            /** Name */
            name: string;
            /** Kind */
            kind: string;
            /** Ispanel */
            isPanel: boolean;
            /** Status */
            status: number;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Cancancel */
            canCancel: boolean;
        };
        /** OrdersPage */
        OrdersPage: {
            /** Data */
            data: components["schemas"]["OrdersRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** OrdersRow */
        OrdersRow: {
            /** Id */
            id: number;
            /** Codevalue */
            codeValue: string;
            /**
             * Orderdate
             * Format: date-time
             */
            orderDate: string;
            /**
             * Ordercollectiondate
             * Format: date-time
             */
            orderCollectionDate: string;
            /** Patientlastname */
            patientLastName: string;
            /** Patientfirstname */
            patientFirstName: string;
            /** Patientdob */
            patientDoB: string | null;
            /** Clientid */
            clientId: number;
            /** Client */
            client: string;
            /** Unit */
            unit: string;
            /** Patientroom */
            patientRoom: string | null;
            /** Patientbed */
            patientBed: string | null;
            /** Status */
            status: number;
            /** Hasalert */
            hasAlert: boolean;
            /** Hascritical */
            hasCritical: boolean;
            /** Hastoxicologyunexpectedpositive */
            hasToxicologyUnexpectedPositive: boolean;
            /** Hasabnormal */
            hasAbnormal: boolean;
            /** Criticalresults */
            criticalResults: boolean;
            /** Criticalmicresults */
            criticalMicResults: boolean;
            /** Criticaltoxresults */
            criticalToxResults: boolean;
            /** Onlineackuser */
            onlineAckUser: string | null;
            /** Onlineackdatetime */
            onlineAckDateTime: string | null;
            /** Hasmissinginfo */
            hasMissingInfo: boolean;
            /** Isunread */
            isUnread: boolean;
            /** Isunreadbyphysician */
            isUnreadByPhysician: boolean;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Requisitionid */
            requisitionId: number;
            /** Version */
            version: number;
            /** Priority */
            priority: string;
            /** Hassignature */
            hasSignature: boolean;
            /** Testnames */
            testNames: string[];
            /** Testcodes */
            testCodes: string[];
            /** Alert */
            alert: string | null;
            /** Alertbadges */
            alertBadges: string[];
            /** Orderresults */
            orderResults: components["schemas"]["OrderResult"][];
            entry: components["schemas"]["EntryProgress"] | null;
        };
        /**
         * OrganismChoice
         * @description An organism to choose; ``panel`` are the antibiotics that the lab has breakpoints for.
         */
        OrganismChoice: {
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Panel */
            panel: string[];
        };
        /**
         * OrganismEntry
         * @description An organism on the entry screen.
         */
        OrganismEntry: {
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Quantity */
            quantity: string | null;
            /** Mark */
            mark: string | null;
            /** Comment */
            comment: string | null;
            /** Sensitivity */
            sensitivity: components["schemas"]["SensitivityEntry"][];
        };
        /**
         * OrganismShape
         * @description An organism with its susceptibilities; ``organism_comment`` explains its mark.
         */
        OrganismShape: {
            /** Name */
            name: string;
            /** Culturequantityname */
            cultureQuantityName: string | null;
            /** Mark */
            mark: string | null;
            /** Comment */
            comment: string | null;
            /** Organismcomment */
            organismComment: string | null;
            /** Isflora */
            isFlora: boolean;
            /** Sensitivity */
            sensitivity: components["schemas"]["SensitivityShape"][];
        };
        /**
         * OrganismWrite
         * @description An organism to enter.
         */
        OrganismWrite: {
            /** Code */
            code?: string | null;
            /** Quantity */
            quantity?: string | null;
            /** Mark */
            mark?: string | null;
            /** Comment */
            comment?: string | null;
            /**
             * Sensitivity
             * @default []
             */
            sensitivity: components["schemas"]["SensitivityWrite"][];
        };
        /**
         * OtherMedication
         * @description A reported medication without a verdict, and why.
         */
        OtherMedication: {
            /** Medicationname */
            medicationName: string;
            /** Rxverification */
            rxVerification: string;
        };
        /**
         * OwnCode
         * @description A code from the user's authenticator app.
         */
        OwnCode: {
            /** Code */
            code: string;
        };
        /**
         * OwnPasswordOnly
         * @description The user's own password, entered again.
         */
        OwnPasswordOnly: {
            /** Password */
            password: string;
        };
        /**
         * PasswordChange
         * @description POST /auth/user/change-password; ``login_id`` is the user's own.
         */
        PasswordChange: {
            /** Loginid */
            loginId: string;
            /** Currentpassword */
            currentPassword: string;
            /** Password */
            password: string;
        };
        /**
         * PathologyDraft
         * @description The report of a test that is entered and not released.
         */
        PathologyDraft: {
            kind: components["schemas"]["ReportKind"];
            /** Title */
            title: string;
            /** Comment */
            comment: string;
            flag: components["schemas"]["ResultFlag"] | null;
            /** Signedoutby */
            signedOutBy: string | null;
            /** Reasoncode */
            reasonCode: string | null;
            /** Reason */
            reason: string | null;
            /** Explanation */
            explanation: string | null;
            /** Enteredby */
            enteredBy: string | null;
            /** Enteredat */
            enteredAt: string | null;
        };
        /**
         * PathologyEntry
         * @description The pathology entry screen of one order.
         */
        PathologyEntry: {
            /** Orderid */
            orderId: number;
            /** Codevalue */
            codeValue: string;
            /** Version */
            version: number;
            /** Status */
            status: number;
            /** Clientname */
            clientName: string;
            /** Collectiondate */
            collectionDate: string;
            /** Specimencondition */
            specimenCondition: string;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Reportcomment */
            reportComment: string | null;
            /** Reported */
            reported: string | null;
            patient: components["schemas"]["EntryPatient"];
            /** Holdrecords */
            holdRecords: components["schemas"]["HoldRecord"][];
            canEnterResults: components["schemas"]["Permission"];
            canRelease: components["schemas"]["Permission"];
            /** Tests */
            tests: components["schemas"]["PathologyEntryTest"][];
        };
        /**
         * PathologyEntryTest
         * @description A test on the pathology entry screen.
         *
         *     Attributes:
         *         predates_specimen: whether the draft was entered before the specimen was received.
         *         next_kinds: the kinds of reports that may follow.
         *         left_because: why the reader may not release the draft now.
         */
        PathologyEntryTest: {
            /** Ordertestid */
            orderTestId: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Specimen */
            specimen: string | null;
            /** Status */
            status: number;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Predatesspecimen */
            predatesSpecimen: boolean;
            draft: components["schemas"]["PathologyDraft"] | null;
            /** Nextkinds */
            nextKinds: components["schemas"]["ReportKind"][];
            /** Released */
            released: components["schemas"]["PathologyReportRead"][];
            withheld: components["schemas"]["EntryWithholding"] | null;
            /** Holds */
            holds: components["schemas"]["EntryHold"][];
            /** Leftbecause */
            leftBecause: string | null;
        };
        /**
         * PathologyRelease
         * @description POST pathology-release: these tests, or all entered reports when null.
         */
        PathologyRelease: {
            /** Ordertestids */
            orderTestIds?: number[] | null;
        };
        /**
         * PathologyReportRead
         * @description A report, an addendum, or a revision (R 3).
         *
         *     Attributes:
         *         comment: its rich text.
         *         reason, explanation: why a revision was made.
         *         replaced_by: the title of the revision that replaces this one.
         *         result_report_comments: what the document says about the report besides its text.
         */
        PathologyReportRead: {
            /** Id */
            id: number;
            /** Title */
            title: string;
            status: components["schemas"]["ReportKind"];
            /** Comment */
            comment: string;
            flag: components["schemas"]["ResultFlag"] | null;
            /** Signedoutby */
            signedOutBy: string | null;
            /** Releasedby */
            releasedBy: string | null;
            /** Releasedat */
            releasedAt: string | null;
            /** Reason */
            reason: string | null;
            /** Explanation */
            explanation: string | null;
            /** Replacedby */
            replacedBy: string | null;
            withheld: components["schemas"]["Withholding"] | null;
            /** Resultreportcomments */
            resultReportComments: string[];
        };
        /**
         * PathologyReportWrite
         * @description PUT pathology-entry: the report to enter; an empty ``comment`` withdraws it.
         */
        PathologyReportWrite: {
            /** @default 0 */
            kind: components["schemas"]["ReportKind"];
            /** Comment */
            comment?: string | null;
            flag?: components["schemas"]["ResultFlag"] | null;
            /** Signedoutby */
            signedOutBy?: string | null;
            /** Reasoncode */
            reasonCode?: string | null;
            /** Explanation */
            explanation?: string | null;
        };
        /**
         * PathologyResult
         * @description A pathology test with its reports, oldest first.
         *
         *     Attributes:
         *         label: shown while there is no report.
         *         withheld: the reports are under review or withdrawn; then only the lab sees them.
         */
        PathologyResult: {
            /** Key */
            key: number;
            /** Name */
            name: string;
            /** Status */
            status: number;
            withheld: components["schemas"]["Withholding"] | null;
            /** Withheldat */
            withheldAt: string | null;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Label */
            label: string;
            /** Results */
            results: components["schemas"]["PathologyReportRead"][];
        };
        /**
         * PatientOfOrder
         * @description The patient of an order.
         *
         *     ``client`` is that of the order, even after the patient has moved to another one; it is null for
         *     a client outside the actor's scope.
         */
        PatientOfOrder: {
            /** Id */
            id: number;
            /** Code */
            code: string | null;
            /** Firstname */
            firstName: string;
            /** Middlename */
            middleName: string | null;
            /** Lastname */
            lastName: string;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string;
            /** Address */
            address: string | null;
            zipCode: components["schemas"]["ZipCodeShape"] | null;
            /** Phone */
            phone: string | null;
            room: components["schemas"]["PlaceName"] | null;
            unit: components["schemas"]["PlaceName"] | null;
            /** Bed */
            bed: string | null;
            client: components["schemas"]["app__server__orders__schemas__ClientOfPatient"] | null;
            primaryPhysician: components["schemas"]["PhysicianShape"] | null;
        };
        /**
         * PatientOfRequisition
         * @description The snapshot of the patient in a requisition.
         */
        PatientOfRequisition: {
            /** Id */
            id: number;
            /** Code */
            code: string | null;
            /** Firstname */
            firstName: string;
            /** Middlename */
            middleName: string | null;
            /** Lastname */
            lastName: string;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string;
            client: components["schemas"]["ClientOfRequisition"] | null;
            unit: components["schemas"]["RoomOfPatient"] | null;
            room: components["schemas"]["RoomOfPatient"] | null;
            /** Bed */
            bed: string | null;
            primaryPhysician: components["schemas"]["PhysicianShape"] | null;
        };
        /**
         * PatientRead
         * @description A patient as answered.
         */
        PatientRead: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Version */
            version: number;
            canChange: components["schemas"]["Permission"];
            /** Clientid */
            clientId: number;
            client: components["schemas"]["app__server__patients__schemas__ClientOfPatient"] | null;
            /** Unitid */
            unitId: number | null;
            unit: components["schemas"]["Named"] | null;
            /** Roomid */
            roomId: number | null;
            room: components["schemas"]["RoomShape"] | null;
            /** Bed */
            bed: string | null;
            /** Medicalrecordid */
            medicalRecordId: string | null;
            /** Primaryphysicianid */
            primaryPhysicianId: number | null;
            primaryPhysician: components["schemas"]["PhysicianShape"] | null;
            /** Firstname */
            firstName: string;
            /** Middlename */
            middleName: string | null;
            /** Lastname */
            lastName: string;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string;
            /** Socialsecuritynumber */
            socialSecurityNumber: string | null;
            /** Phone */
            phone: string | null;
            /** Mobile */
            mobile: string | null;
            /** Email */
            email: string | null;
            /** Address */
            address: string | null;
            /** Zipcodename */
            zipCodeName: string | null;
            zipCode: components["schemas"]["ZipCodeShape"] | null;
            /** Zipcodeplus4 */
            zipCodePlus4: string | null;
            /** Sameasclientaddress */
            sameAsClientAddress: boolean;
            /** Ethnicity */
            ethnicity: number | null;
            /** Sexualorientationid */
            sexualOrientationId: string | null;
            /** Genderidentityid */
            genderIdentityId: string | null;
            /** Race */
            race: string | null;
            /** Medications */
            medications: components["schemas"]["Named"][];
            /** Diagnoses */
            diagnoses: components["schemas"]["DiagnosisShape"][];
            /** Responsibleparties */
            responsibleParties: components["schemas"]["ResponsibleParty"][];
            /** Insuranceinformation */
            insuranceInformation: components["schemas"]["InsuranceRow"][];
        };
        /**
         * PatientValue
         * @description A distinct value.
         *
         *     Attributes:
         *         id: the value as the filter sends it.
         *         name: the value as people read it.
         */
        PatientValue: {
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /** PatientValuesPage */
        PatientValuesPage: {
            /** Data */
            data: components["schemas"]["PatientValue"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /**
         * PatientWrite
         * @description A patient as sent; fields and lists that an update omits stay unchanged.
         *
         *     A list of null or [] is cleared (DECISIONS, wire format).
         */
        PatientWrite: {
            /** Clientid */
            clientId?: number | null;
            /** Firstname */
            firstName?: string | null;
            /** Middlename */
            middleName?: string | null;
            /** Lastname */
            lastName?: string | null;
            /** Birthdate */
            birthDate?: string | null;
            /** Gender */
            gender?: string | null;
            /** Medicalrecordid */
            medicalRecordId?: string | null;
            /** Bed */
            bed?: string | null;
            /** Roomid */
            roomId?: number | null;
            /** Unitid */
            unitId?: number | null;
            /** Socialsecuritynumber */
            socialSecurityNumber?: string | null;
            /** Phone */
            phone?: string | null;
            /** Mobile */
            mobile?: string | null;
            /** Email */
            email?: string | null;
            /** Address */
            address?: string | null;
            /** Zipcodename */
            zipCodeName?: string | null;
            /** Zipcodeplus4 */
            zipCodePlus4?: string | null;
            /**
             * Sameasclientaddress
             * @default false
             */
            sameAsClientAddress: boolean;
            /** Primaryphysicianid */
            primaryPhysicianId?: number | null;
            /** Ethnicity */
            ethnicity?: number | string | null;
            /** Sexualorientationid */
            sexualOrientationId?: string | null;
            /** Genderidentityid */
            genderIdentityId?: string | null;
            /** Race */
            race?: string | null;
            /** Insuranceinformation */
            insuranceInformation?: components["schemas"]["InsuranceWrite"][] | null;
            /** Responsibleparties */
            responsibleParties?: components["schemas"]["ResponsiblePartyWrite"][] | null;
            /** Diagnoses */
            diagnoses?: components["schemas"]["DiagnosisWrite"][] | null;
            /** Medications */
            medications?: components["schemas"]["MedicationWrite"][] | null;
        };
        /** PatientsPage */
        PatientsPage: {
            /** Data */
            data: components["schemas"]["PatientsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** PatientsRow */
        PatientsRow: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Firstname */
            firstName: string;
            /** Middlename */
            middleName: string | null;
            /** Lastname */
            lastName: string;
            /** Birthdate */
            birthDate: string | null;
            /** Gender */
            gender: string;
            /** Ssn */
            ssn: string | null;
            /** Clientid */
            clientId: number;
            /** Bed */
            bed: string | null;
            /** Clientname */
            clientName: string;
            /** Clientwebaccess */
            clientWebAccess: boolean;
            /** Unit */
            unit: string | null;
            /** Room */
            room: string | null;
        };
        /**
         * PayerShape
         * @description A payer with the bill type it belongs to.
         */
        PayerShape: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Billtypeid */
            billTypeId: number | null;
            /** Billtype */
            billType: string | null;
        };
        /** PayersPage */
        PayersPage: {
            /** Data */
            data: components["schemas"]["PayersRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** PayersRow */
        PayersRow: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Billtypeid */
            billTypeId: number | null;
            /** Billtype */
            billType: string | null;
        };
        /**
         * Permission
         * @description Whether the user may do something now; if not, ``reason`` explains why.
         */
        Permission: {
            /** Allowed */
            allowed: boolean;
            /** Reason */
            reason: string | null;
        };
        /**
         * PhysicianShape
         * @description A physician as other records name them.
         */
        PhysicianShape: {
            /** Id */
            id: number;
            /** Firstname */
            firstName: string;
            /** Lastname */
            lastName: string;
            /** Npi */
            npi: string;
        };
        /** PhysiciansByNameRow */
        PhysiciansByNameRow: {
            /** Id */
            id: number;
            /** Npi */
            npi: string;
            /** Firstname */
            firstName: string;
            /** Lastname */
            lastName: string;
        };
        /** PhysiciansPage */
        PhysiciansPage: {
            /** Data */
            data: components["schemas"]["PhysiciansRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** PhysiciansRow */
        PhysiciansRow: {
            /** Id */
            id: number;
            /** Npi */
            npi: string;
            /** Firstname */
            firstName: string;
            /** Lastname */
            lastName: string;
        };
        /**
         * PlaceName
         * @description The name of a unit, a room, or a collection site.
         */
        PlaceName: {
            /** Name */
            name: string;
        };
        /**
         * PlaceWrite
         * @description A patient's place and primary physician; absent fields stay unchanged.
         */
        PlaceWrite: {
            /** Id */
            id: number;
            /** Clientid */
            clientId?: number | null;
            /** Physicianid */
            physicianId?: number | null;
            /** Unitid */
            unitId?: number | null;
            /** Roomid */
            roomId?: number | null;
            /** Bed */
            bed?: string | null;
        };
        /**
         * PoolRead
         * @description How often and how long requests have waited for a connection since the start.
         */
        PoolRead: {
            /** Name */
            name: string;
            /** Waits */
            waits: number;
            /** Meanmilliseconds */
            meanMilliseconds: number;
        };
        /**
         * PortalCapabilities
         * @description What the hosted portal can do: nothing that needs a workstation.
         */
        PortalCapabilities: {
            /**
             * Host
             * @default server
             * @constant
             */
            host: "server";
            /** Version */
            version: string;
            /**
             * Canprintlabels
             * @default false
             */
            canPrintLabels: boolean;
            /**
             * Canopenwindows
             * @default false
             */
            canOpenWindows: boolean;
            /**
             * Keepspreferences
             * @default false
             */
            keepsPreferences: boolean;
            /**
             * Keepscredentials
             * @default false
             */
            keepsCredentials: boolean;
            lab: components["schemas"]["PublicLab"];
        };
        /**
         * PortalRead
         * @description The portal's version, the schema's revision, and how long the process has run.
         */
        PortalRead: {
            /** Version */
            version: string;
            /** Revision */
            revision: string;
            /** Uptimeseconds */
            uptimeSeconds: number;
        };
        /**
         * PrintOutcomeWrite
         * @description The outcome of a print job.
         *
         *     Its labels are counted in printing order, one set for each copy. Labels after the printed and
         *     the unknown ones were not printed.
         *
         *     Attributes:
         *         labels: the number of all labels.
         *         printed: how many of the first labels were printed (or passed on, if ``state`` is sent).
         *         unknown: how many of the next labels may have been printed.
         *         code: the reason of a failure.
         */
        PrintOutcomeWrite: {
            /**
             * State
             * @enum {string}
             */
            state: "confirmed" | "sent" | "failed" | "stopped";
            /** Labels */
            labels: number;
            /** Printed */
            printed: number;
            /** Unknown */
            unknown: number;
            /** Code */
            code?: string | null;
        };
        /**
         * Profile
         * @description The profile of the signed-in user.
         */
        Profile: {
            /** Id */
            id: string;
            /** Email */
            email: string;
            /** Firstname */
            firstName: string;
            /** Lastname */
            lastName: string;
            /** Username */
            username: string;
            /** Imageurl */
            imageUrl: string;
            role: components["schemas"]["Role"];
            /** Registrations */
            registrations: components["schemas"]["RegistrationShape"][];
            data: components["schemas"]["ProfileData"];
            /**
             * Hassecondfactor
             * @default false
             */
            hasSecondFactor: boolean;
            /**
             * Mustsetupsecondfactor
             * @default false
             */
            mustSetUpSecondFactor: boolean;
        };
        /**
         * ProfileAnswer
         * @description The profile as an object with the key ``user``.
         */
        ProfileAnswer: {
            user: components["schemas"]["Profile"];
        };
        /**
         * ProfileChange
         * @description PUT /auth/user/{id}.
         */
        ProfileChange: {
            user: components["schemas"]["UserChange"];
        };
        /**
         * ProfileData
         * @description A profile's data besides names; ``sign_image`` is a data URL.
         */
        ProfileData: {
            /** Signimage */
            signImage: string | null;
            /** Clients */
            clients: number[];
            /** Patients */
            patients: number[];
            /** Physicians */
            physicians: number[];
        };
        /**
         * ProfileDataChange
         * @description The changeable part of ``data``.
         */
        ProfileDataChange: {
            /** Signimage */
            signImage?: string | null;
        };
        /**
         * PublicLab
         * @description The lab's public details and clock; a detail is null if the lab has not set it.
         *
         *     Attributes:
         *         desktop_app_url: the page from which people download the desktop app.
         *         logo: a data URL.
         *         time_zone: its IANA name.
         */
        PublicLab: {
            /** Title */
            title: string | null;
            /** Name */
            name: string | null;
            /** Address */
            address: string | null;
            /** Phone */
            phone: string | null;
            /** Email */
            email: string | null;
            /** Fax */
            fax: string | null;
            /** Url */
            url: string | null;
            /** Desktopappurl */
            desktopAppUrl: string | null;
            /** Logo */
            logo: string | null;
            /** Timezone */
            timeZone: string;
            /**
             * Now
             * Format: date-time
             */
            now: string;
        };
        /**
         * ReasonKind
         * @description The act that a reason from the lab's list explains.
         * @enum {string}
         */
        ReasonKind: "correction" | "rejection" | "cancellation" | "hold" | "condition";
        /**
         * ReasonShape
         * @description A reason to choose from a list.
         */
        ReasonShape: {
            /** Code */
            code: string;
            /** Words */
            words: string;
        };
        /**
         * Reasoned
         * @description A reason from the lab's list, and words about it.
         */
        Reasoned: {
            /** Reason */
            reason: string;
            /** Words */
            words?: string | null;
        };
        /**
         * ReceiveRequest
         * @description POST receive: requisitions by ids, by one scanned code, or both.
         *
         *     All tubes that ``tubes`` does not name were received in good condition. Tubes can be named for
         *     one requisition only.
         */
        ReceiveRequest: {
            /** Entryalert */
            entryAlert?: string | null;
            /** Collectionsite */
            collectionSite?: string | null;
            /**
             * Ids
             * @default []
             */
            ids: number[];
            /** Code */
            code?: string | null;
            /**
             * Acceptsfuture
             * @default true
             */
            acceptsFuture: boolean;
            /**
             * Tubes
             * @default []
             */
            tubes: components["schemas"]["TubeWrite"][];
        };
        /**
         * Received
         * @description A received requisition and its new order.
         *
         *     Attributes:
         *         tubes: how many of the ``tubes_due`` were received.
         *         client_to_call: the client if a tube was rejected and no e-mail can say so.
         */
        Received: {
            /** Requisitionid */
            requisitionId: number;
            /** Requisitioncode */
            requisitionCode: string;
            /** Patientlastname */
            patientLastName: string;
            /** Patientfirstname */
            patientFirstName: string;
            /** Orderid */
            orderId: number;
            /** Ordercode */
            orderCode: string;
            /** Collectiontocome */
            collectionToCome: string | null;
            /** Tubes */
            tubes: number;
            /** Tubesdue */
            tubesDue: number;
            clientToCall: components["schemas"]["ClientToCall"] | null;
        };
        /**
         * RecipientRead
         * @description A transmission to one address or number.
         *
         *     Attributes:
         *         subject: what was sent: 'forms', 'results', 'correctedResults', or a notice of a
         *             'rejectedSpecimen'.
         *         order_ids: empty unless results were sent.
         *         last_error: a message for people.
         *         next_try_at: the time of the next attempt.
         *         sent_at: the time when a server or provider accepted it.
         *         delivered_at: the time when a fax arrived.
         */
        RecipientRead: {
            /** Id */
            id: number;
            /** Subject */
            subject: string;
            /** Requisitionids */
            requisitionIds: number[];
            /** Orderids */
            orderIds: number[];
            type: components["schemas"]["CopyType"];
            /** Destination */
            destination: string;
            status: components["schemas"]["SendStatus"];
            /** Attempts */
            attempts: number;
            /** Lasterror */
            lastError: string | null;
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            /** Nexttryat */
            nextTryAt: string | null;
            /** Sentat */
            sentAt: string | null;
            /** Deliveredat */
            deliveredAt: string | null;
            /**
             * Sentby
             * @description Empty for patients, unless they sent it themselves.
             */
            sentBy: string;
        };
        /**
         * RecordOfCode
         * @description The requisition with a code, and the order that it became, if any.
         */
        RecordOfCode: {
            /** Requisitionid */
            requisitionId: number;
            /** Requisitioncode */
            requisitionCode: string;
            /** Orderid */
            orderId: number | null;
            /** Ordercode */
            orderCode: string | null;
        };
        /**
         * RecoveryCodes
         * @description Codes that replace the app, each once; only this answer has them.
         */
        RecoveryCodes: {
            /** Codes */
            codes: string[];
        };
        /**
         * Refresh
         * @description POST /auth/jwt/refresh; without a token in the body the cookie is used.
         */
        Refresh: {
            /** Refreshtoken */
            refreshToken?: string | null;
        };
        /**
         * RegistrationRead
         * @description A user's roles in an application.
         */
        RegistrationRead: {
            /** Applicationid */
            applicationId: string;
            /** Roles */
            roles: components["schemas"]["Role"][];
        };
        /**
         * RegistrationShape
         * @description A user's roles in an application.
         */
        RegistrationShape: {
            /** Applicationid */
            applicationId: string;
            /** Roles */
            roles: components["schemas"]["Role"][];
        };
        /**
         * RegistrationWrite
         * @description A registration as sent; its first role is used if ``role`` of the user is absent.
         */
        RegistrationWrite: {
            /** Applicationid */
            applicationId?: string | null;
            /** Roles */
            roles?: string[] | null;
            /** Username */
            username?: string | null;
            /** Timezone */
            timezone?: string | null;
        };
        /**
         * ReinstateTestsRequest
         * @description POST reinstate: these canceled tests, or all of them when null.
         */
        ReinstateTestsRequest: {
            /** Ordertestids */
            orderTestIds?: number[] | null;
        };
        /**
         * ReleaseManyRequest
         * @description The orders to release; ``versions`` are those that the user has seen, by id.
         */
        ReleaseManyRequest: {
            /**
             * Ids
             * @default []
             */
            ids: number[];
            /**
             * Versions
             * @default {}
             */
            versions: {
                [key: string]: number;
            };
        };
        /**
         * ReleaseRequest
         * @description POST release: these tests, or all entered results when null.
         */
        ReleaseRequest: {
            /** Ordertestids */
            orderTestIds?: number[] | null;
        };
        /**
         * ReleasedOrder
         * @description An order whose results were released; ``left`` says why entered ones were not.
         */
        ReleasedOrder: {
            /** Id */
            id: number;
            /** Version */
            version: number;
            /** Status */
            status: number;
            /** Left */
            left: string[];
        };
        /**
         * ReleasedOrders
         * @description The released orders, in the order of the request.
         */
        ReleasedOrders: {
            /** Data */
            data: components["schemas"]["ReleasedOrder"][];
        };
        /**
         * ReopenedAcknowledgment
         * @description An acknowledgment of the actor that is no longer valid, because the results have changed.
         *
         *     ``kind`` is null if the results changed while they were acknowledged.
         */
        ReopenedAcknowledgment: {
            /** Acknowledged */
            acknowledged: string;
            /** Changed */
            changed: string;
            kind: components["schemas"]["Reopening"] | null;
        };
        /**
         * Reopening
         * @description The event that has made an acknowledged order unread again.
         * @enum {string}
         */
        Reopening: "release" | "review" | "withdrawn" | "restored" | "verdict" | "comment";
        /**
         * ReportDone
         * @description Event ``done``: the document is complete.
         */
        ReportDone: {
            /** Name */
            name: string;
            /** Mediatype */
            mediaType: string;
        };
        /**
         * ReportKind
         * @description The kind of a pathology report: entered, or released (R 3, 'Report kind').
         * @enum {integer}
         */
        ReportKind: 0 | 1 | 2 | 3 | 4 | 5;
        /**
         * ReportPart
         * @description Event ``part``: the next bytes of the document, in base64.
         */
        ReportPart: {
            /** Content */
            content: string;
        };
        /**
         * ReportProgress
         * @description Event ``progress``: ``done`` of ``of`` records are drawn.
         */
        ReportProgress: {
            /** Done */
            done: number;
            /** Of */
            of: number;
        };
        /**
         * ReportRequest
         * @description The ids of the records in a report.
         */
        ReportRequest: {
            /** Ids */
            ids: number[];
        };
        /**
         * Reporting
         * @description Whether clients see an antibiotic: as the lab's cascade says, or as set by hand.
         * @enum {string}
         */
        Reporting: "cascade" | "reported" | "suppressed";
        /**
         * RequestKind
         * @description The kinds of requests that people write to the lab.
         * @enum {string}
         */
        RequestKind: "contact" | "supply";
        /**
         * RequestStatus
         * @description The progress of a request's e-mail.
         * @enum {string}
         */
        RequestStatus: "waiting" | "sent" | "failed";
        /**
         * RequisitionMedicationWrite
         * @description A medication as free text; its length is validated after normalization.
         */
        RequisitionMedicationWrite: {
            /** Name */
            name: string;
        };
        /**
         * RequisitionRead
         * @description A requisition as answered, with its current ``signature``.
         *
         *     The ``can_...`` fields are the caller's permissions. The content is what a signature covers; its
         *     clinical part is diagnoses and medications. The extras are comments, copies, and documents.
         */
        RequisitionRead: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Version */
            version: number;
            /** Status */
            status: number;
            /** Collectiondate */
            collectionDate: string;
            /** Fasting */
            fasting: number;
            /** Priority */
            priority: string;
            /** Billto */
            billTo: string;
            /** Comments */
            comments: string | null;
            /** Cancelcomment */
            cancelComment: string | null;
            /** Canceledat */
            canceledAt: string | null;
            /** Canceledbyname */
            canceledByName: string | null;
            /** Hassignature */
            hasSignature: boolean;
            signature: components["schemas"]["SignatureRead"] | null;
            /** Signedbyme */
            signedByMe: boolean;
            /** Patientid */
            patientId: number;
            patient: components["schemas"]["PatientOfRequisition"];
            /** Physicianid */
            physicianId: number | null;
            physician: components["schemas"]["PhysicianShape"] | null;
            /** Tests */
            tests: components["schemas"]["RequisitionTestRead"][];
            /** Treetests */
            treeTests: components["schemas"]["TreeTest"][];
            /** Additionaltestsdxcodes */
            additionalTestsDxCodes: components["schemas"]["DiagnosisShape"][];
            /** Diagnoses */
            diagnoses: components["schemas"]["DiagnosisOfTest"][];
            /** Medications */
            medications: components["schemas"]["MedicationShape"][];
            /** Additionalcopies */
            additionalCopies: components["schemas"]["CopyShape"][];
            /** Billinginformation */
            billingInformation: components["schemas"]["BillingInformation"][];
            /** Orderid */
            orderId: number | null;
            /** Ordercode */
            orderCode: string | null;
            canChange: components["schemas"]["Permission"];
            canChangeContent: components["schemas"]["Permission"];
            canChangeClinical: components["schemas"]["Permission"];
            canChangeExtras: components["schemas"]["Permission"];
            canSign: components["schemas"]["Permission"];
            canUnsign: components["schemas"]["Permission"];
            canCancel: components["schemas"]["Permission"];
            canReceive: components["schemas"]["Permission"];
        };
        /**
         * RequisitionTestRead
         * @description A test of a requisition with its members.
         *
         *     Attributes:
         *         child_id: the id of its row.
         *         parent_test_id: for a member, its panel.
         */
        RequisitionTestRead: {
            /** Childid */
            childId: number;
            /** Parenttestid */
            parentTestId: number | null;
            /** Level */
            level: number;
            /** Isconfidential */
            isConfidential: boolean;
            test: components["schemas"]["TestShape"];
            /**
             * Children
             * @default []
             */
            children: components["schemas"]["RequisitionTestRead"][];
        };
        /**
         * RequisitionWrite
         * @description A requisition as sent; an absent field stays unchanged, null or [] clears it.
         *
         *     ``refresh_patient`` replaces the snapshot of the same patient with the current one. Without it,
         *     a later change to the patient does not affect the requisition.
         */
        RequisitionWrite: {
            /** Patientid */
            patientId?: number | null;
            /**
             * Refreshpatient
             * @default false
             */
            refreshPatient: boolean;
            /** Physicianid */
            physicianId?: number | null;
            /** Collectiondate */
            collectionDate?: string | null;
            /** Fasting */
            fasting?: number | string | null;
            /**
             * Priority
             * @default ROUTINE
             */
            priority: string | null;
            /** Billto */
            billTo?: number | string | null;
            /** Comments */
            comments?: string | null;
            /** Tests */
            tests?: components["schemas"]["TestWrite"][] | null;
            /** Diagnoses */
            diagnoses?: components["schemas"]["DiagnosisOfTestWrite"][] | null;
            /** Additionaltestsdxcodes */
            additionalTestsDxCodes?: components["schemas"]["DiagnosisWrite"][] | null;
            /** Medications */
            medications?: components["schemas"]["RequisitionMedicationWrite"][] | null;
            /** Billinginfo */
            billingInfo?: components["schemas"]["BillingInfoWrite"][] | null;
            /** Additionalcopies */
            additionalCopies?: components["schemas"]["CopyWrite"][] | null;
        };
        /** RequisitionsPage */
        RequisitionsPage: {
            /** Data */
            data: components["schemas"]["RequisitionsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** RequisitionsRow */
        RequisitionsRow: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /**
             * Collectiondate
             * Format: date-time
             */
            collectionDate: string;
            /** Patientlastname */
            patientLastName: string;
            /** Patientfirstname */
            patientFirstName: string;
            /** Patientbirthdate */
            patientBirthDate: string | null;
            /** Clientid */
            clientId: number;
            /** Clientname */
            clientName: string;
            /** Unit */
            unit: string;
            /** Room */
            room: string | null;
            /** Bed */
            bed: string | null;
            /** Testids */
            testIds: number[];
            /** Hassignature */
            hasSignature: boolean;
            /** Status */
            status: number;
            /** Version */
            version: number;
            /** Tests */
            tests: string[];
            /** Testcodes */
            testCodes: string[];
            /** Orderid */
            orderId: number | null;
        };
        /**
         * ResponsibleParty
         * @description A responsible party as answered; ``order`` counts from 1.
         */
        ResponsibleParty: {
            /** Id */
            id: number;
            /** Order */
            order: number;
            /** Firstname */
            firstName: string;
            /** Lastname */
            lastName: string;
            /** Address */
            address: string;
            /** Country */
            country: string | null;
            /** State */
            state: string;
            /** City */
            city: string;
            /** Zipcode */
            zipCode: string;
            /** Zipcodeextra */
            zipCodeExtra: string;
            /** Phone */
            phone: string;
            /** Mobile */
            mobile: string | null;
            /** Fax */
            fax: string | null;
        };
        /**
         * ResponsiblePartyList
         * @description The patient's responsible parties, bare or under ``responsibleParties``.
         */
        ResponsiblePartyList: {
            /** Responsibleparties */
            responsibleParties: components["schemas"]["ResponsiblePartyWrite"][] | null;
        };
        /**
         * ResponsiblePartyWrite
         * @description A responsible party as sent; ``order`` is its position.
         *
         *     City and state follow from the ZIP code.
         */
        ResponsiblePartyWrite: {
            /** Id */
            id?: number | null;
            /** Order */
            order?: number | null;
            /** Firstname */
            firstName?: string | null;
            /** Lastname */
            lastName?: string | null;
            /** Address */
            address?: string | null;
            /** Country */
            country?: string | null;
            /** Zipcode */
            zipCode?: string | null;
            /** Zipcodeextra */
            zipCodeExtra?: string | null;
            /** Phone */
            phone?: string | null;
            /** Mobile */
            mobile?: string | null;
            /** Fax */
            fax?: string | null;
        };
        /**
         * RestoreRequest
         * @description POST restore: end the review of results, so that everybody sees them again.
         */
        RestoreRequest: {
            /** Ordertestids */
            orderTestIds: number[];
        };
        /**
         * ResultColumn
         * @description A test that has a column in the order search.
         */
        ResultColumn: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Unit */
            unit: string | null;
        };
        /**
         * ResultColumnRead
         * @description A test with a column in the order search.
         */
        ResultColumnRead: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
        };
        /**
         * ResultEntry
         * @description The result entry screen of one order's clinical results.
         *
         *     ``autoverified`` is what autoverification did with the results that were just saved.
         */
        ResultEntry: {
            /** Orderid */
            orderId: number;
            /** Codevalue */
            codeValue: string;
            /** Version */
            version: number;
            /** Status */
            status: number;
            /** Clientname */
            clientName: string;
            /** Collectiondate */
            collectionDate: string;
            /** Specimencondition */
            specimenCondition: string;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Reportcomment */
            reportComment: string | null;
            /** Reported */
            reported: string | null;
            patient: components["schemas"]["EntryPatient"];
            /** Holdrecords */
            holdRecords: components["schemas"]["HoldRecord"][];
            canEnterResults: components["schemas"]["Permission"];
            canRelease: components["schemas"]["Permission"];
            /** Verificationrequired */
            verificationRequired: boolean;
            /** Autoverified */
            autoverified: components["schemas"]["AutoverifiedResult"][];
            /** Rows */
            rows: components["schemas"]["EntryRow"][];
        };
        /**
         * ResultEntrySettings
         * @description Who may enter results, and whether the caller may enter and release them.
         */
        ResultEntrySettings: {
            /** Resultentryenabled */
            resultEntryEnabled: boolean;
            /** Resultentrysuperuser */
            resultEntrySuperUser: boolean;
            /** Resultentryclientadmin */
            resultEntryClientAdmin: boolean;
            /** Resultentryclientbasic */
            resultEntryClientBasic: boolean;
            /** Resultverificationrequired */
            resultVerificationRequired: boolean;
            canEnterResults: components["schemas"]["Permission"];
            canReleaseResults: components["schemas"]["Permission"];
        };
        /**
         * ResultEntryWrite
         * @description PUT result-entry.
         */
        ResultEntryWrite: {
            /**
             * Results
             * @default []
             */
            results: components["schemas"]["ResultWrite"][];
        };
        /**
         * ResultExportPreview
         * @description A preview of an export: its first rows, and the number of all rows.
         *
         *     Orders are counted up to a limit; ``is_capped`` says that there are more orders and rows.
         */
        ResultExportPreview: {
            /** Orders */
            orders: number;
            /** Rows */
            rows: number;
            /** Iscapped */
            isCapped: boolean;
            /** Columns */
            columns: components["schemas"]["ExportColumnRead"][];
            /** Data */
            data: (string | null)[][];
        };
        /**
         * ResultExportRequest
         * @description The results to export; days are collection dates, both inclusive, and by default today.
         *
         *     Attributes:
         *         client_ids: can only narrow the clients that the role allows.
         *         test_ids: a panel stands for all the tests that it contains.
         *         status: a mask of order statuses.
         */
        ResultExportRequest: {
            /** Startdate */
            startDate?: string | null;
            /** Enddate */
            endDate?: string | null;
            /** Clientids */
            clientIds?: number[];
            /** Testids */
            testIds?: number[];
            /**
             * Status
             * @default 127
             */
            status: number;
            /** @default csv */
            format: components["schemas"]["ExportFormat"];
        };
        /**
         * ResultFlag
         * @description How a value compares with its reference range (DECISIONS, Results).
         * @enum {string}
         */
        ResultFlag: "N" | "L" | "H" | "LL" | "HH" | "A" | "AA" | "POS" | "NEG" | "<" | ">" | "S" | "I" | "R" | "SDD" | "NS";
        /**
         * ResultKind
         * @description The kind of a result, which has its own tab on the order results screen (R 2.2).
         * @enum {string}
         */
        ResultKind: "clinical" | "microbiology" | "toxicology" | "pathology";
        /**
         * ResultSettings
         * @description The settings about results: columns, missing information, and the label of toxicology.
         */
        ResultSettings: {
            /** Enabled */
            enabled: boolean;
            /** Tests */
            tests: components["schemas"]["ResultColumn"][];
            /** Abnormalresult */
            abnormalResult: string;
        };
        /**
         * ResultWrite
         * @description An entered result; an empty result withdraws an unreleased entry.
         *
         *     Attributes:
         *         unit: only compared with the unit of the test.
         *         dilution: the factor by which the result is multiplied.
         *         is_repeat: whether the replaced result is stored as the first value.
         *         is_confirmed: the answer to the question whether an implausible result is right.
         *         correction: required if the result is released.
         */
        ResultWrite: {
            /** Ordertestid */
            orderTestId: number;
            /** Result */
            result?: string | null;
            /** Comment */
            comment?: string | null;
            /** Unit */
            unit?: string | null;
            /** Dilution */
            dilution?: number | string | null;
            /** Isrepeat */
            isRepeat?: boolean | null;
            /** Isconfirmed */
            isConfirmed?: boolean | null;
            correction?: components["schemas"]["Reasoned"] | null;
        };
        /**
         * ResultsTransmissionRequest
         * @description The orders whose results to send; ``is_correction`` says whether they are corrected.
         */
        ResultsTransmissionRequest: {
            /** Ids */
            ids?: number[];
            /** Type */
            type?: string | null;
            /** Value */
            value?: string | null;
            /**
             * Iscorrection
             * @default false
             */
            isCorrection: boolean;
        };
        /**
         * ResultsTypes
         * @description The kinds of result that an order has.
         */
        ResultsTypes: {
            /** Hasclinicalresult */
            hasClinicalResult: boolean;
            /** Hasmicrobiologyresult */
            hasMicrobiologyResult: boolean;
            /** Hastoxicologyresult */
            hasToxicologyResult: boolean;
            /** Haspathologyresult */
            hasPathologyResult: boolean;
        };
        /**
         * Role
         * @description A user's role; the first role of the first registration counts (P 1).
         * @enum {string}
         */
        Role: "Superuser" | "Laboratory" | "Client Admin" | "Client Basic" | "Physician" | "Patient";
        /**
         * RoomOfPatient
         * @description The name of a unit or room from the patient's snapshot.
         */
        RoomOfPatient: {
            /** Name */
            name: string;
        };
        /**
         * RoomShape
         * @description A room with its unit.
         */
        RoomShape: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Unitid */
            unitId: number | null;
        };
        /** RoomsOfClientPage */
        RoomsOfClientPage: {
            /** Data */
            data: components["schemas"]["RoomsOfClientRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** RoomsOfClientRow */
        RoomsOfClientRow: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Unitid */
            unitId: number | null;
        };
        /** RoomsOfUnitPage */
        RoomsOfUnitPage: {
            /** Data */
            data: components["schemas"]["RoomsOfUnitRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** RoomsOfUnitRow */
        RoomsOfUnitRow: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Unitid */
            unitId: number | null;
        };
        /**
         * RuleRead
         * @description A rule of autoverification; ``is_tried`` says that its limits were compared with results.
         *
         *     Its limits are for ``unit`` and ``method``. While the test has others, ``test_unit`` and
         *     ``test_method``, its results wait for a person.
         */
        RuleRead: {
            /** Id */
            id: number;
            /** Testid */
            testId: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Unit */
            unit: string | null;
            /** Method */
            method: string | null;
            /** Testunit */
            testUnit: string | null;
            /** Testmethod */
            testMethod: string | null;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Allowsabnormal */
            allowsAbnormal: boolean;
            /** Deltapercent */
            deltaPercent: number | null;
            /** Deltadays */
            deltaDays: number | null;
            /** Ison */
            isOn: boolean;
            /** Istried */
            isTried: boolean;
            /** Changedby */
            changedBy: string | null;
            /** Changedat */
            changedAt: string;
            /** Switchedby */
            switchedBy: string | null;
            /** Switchedat */
            switchedAt: string | null;
            /** Version */
            version: number;
            canSwitchOn: components["schemas"]["Permission"];
        };
        /**
         * SavedSearchRead
         * @description A saved search of the user.
         */
        SavedSearchRead: {
            /** Id */
            id: number;
            /** Version */
            version: number;
            /** Name */
            name: string;
            /** Query */
            query: {
                [key: string]: unknown;
            };
            /** Columns */
            columns: string[];
            /** Sort */
            sort: string;
        };
        /**
         * SavedSearchWrite
         * @description A saved search as sent; absent fields stay unchanged.
         */
        SavedSearchWrite: {
            /** Name */
            name?: string | null;
            /** Query */
            query?: unknown;
            /** Columns */
            columns?: string[] | null;
            /** Sort */
            sort?: string | null;
        };
        /**
         * SearchChoice
         * @description A value of a column with few values.
         */
        SearchChoice: {
            /** Value */
            value: string;
            /** Label */
            label: string;
        };
        /**
         * SearchColumnRead
         * @description A column that the user may search, show, or both.
         *
         *     Attributes:
         *         needs_test: whether a condition names the test whose result it is about.
         *         needs_antibiotic: whether a condition names one of ``antibiotics``, by its code.
         *         is_usual: whether the column is shown unless a search names other columns.
         *         sort: 'indexed' works at any size, 'window' with a bounded number of rows.
         */
        SearchColumnRead: {
            /** Name */
            name: string;
            /** Label */
            label: string;
            /** Group */
            group: string;
            /** Kind */
            kind: string | null;
            /** Operators */
            operators: string[];
            /** Choices */
            choices: components["schemas"]["SearchChoice"][];
            /** Source */
            source: string | null;
            /** Needstest */
            needsTest: boolean;
            /** Needsantibiotic */
            needsAntibiotic: boolean;
            /** Antibiotics */
            antibiotics: components["schemas"]["SearchChoice"][];
            /** Isshown */
            isShown: boolean;
            /** Isusual */
            isUsual: boolean;
            /** Sort */
            sort: string | null;
        };
        /**
         * SearchedList
         * @description The search that shows the waiting work.
         * @enum {string}
         */
        SearchedList: "requisitions" | "orders" | "criticalResults";
        /**
         * SecondFactorSetup
         * @description A secret for an authenticator app.
         *
         *     Attributes:
         *         key: the secret as text.
         *         picture: the secret as a QR code.
         */
        SecondFactorSetup: {
            /** Key */
            key: string;
            /** Picture */
            picture: string;
        };
        /**
         * SecondFactorState
         * @description GET /auth/second-factor.
         */
        SecondFactorState: {
            /** Ison */
            isOn: boolean;
            /** Isrequired */
            isRequired: boolean;
            /** Recoverycodesleft */
            recoveryCodesLeft: number;
        };
        /**
         * SendStatus
         * @description The status of an e-mail or a fax.
         *
         *     QUEUED waits for its first or next attempt. SENT is the last status of an e-mail, which a mail
         *     server has accepted. A fax stays SENDING while the provider dials.
         * @enum {string}
         */
        SendStatus: "queued" | "sending" | "sent" | "delivered" | "failed";
        /**
         * SenderRead
         * @description The last success and failure of mail or fax.
         */
        SenderRead: {
            /** Name */
            name: string;
            /** Isconfigured */
            isConfigured: boolean;
            /** Lastsuccess */
            lastSuccess: string | null;
            /** Lastfailure */
            lastFailure: string | null;
        };
        /**
         * SendingRead
         * @description How the lab sends, without any secret.
         */
        SendingRead: {
            /** Emailfrom */
            emailFrom: string | null;
            /** Mailserver */
            mailServer: string | null;
            /** Fax */
            fax: string | null;
        };
        /**
         * SensitivityEntry
         * @description An antibiotic on the entry screen; ``limits`` come from the lab's breakpoints.
         */
        SensitivityEntry: {
            /** Antibiotic */
            antibiotic: string;
            /** Antibioticname */
            antibioticName: string;
            method: components["schemas"]["SusceptibilityMethod"];
            /** Mic */
            mic: string | null;
            interpretation: components["schemas"]["ResultFlag"] | null;
            /** Ismanual */
            isManual: boolean;
            reporting: components["schemas"]["Reporting"];
            /** Issuppressed */
            isSuppressed: boolean;
            /** Limits */
            limits: string | null;
            /** Comment */
            comment: string | null;
        };
        /**
         * SensitivityShape
         * @description An antibiotic that clients see, with its MIC or zone as entered.
         */
        SensitivityShape: {
            /** Antibioticname */
            antibioticName: string;
            /** Mic */
            mic: string | null;
            method: components["schemas"]["SusceptibilityMethod"];
            microbiologyInterpretationType: components["schemas"]["ResultFlag"] | null;
            /** Comment */
            comment: string | null;
        };
        /**
         * SensitivityWrite
         * @description An antibiotic to enter; without an interpretation, the lab's breakpoints decide.
         */
        SensitivityWrite: {
            /** Antibiotic */
            antibiotic: string;
            /** @default MIC */
            method: components["schemas"]["SusceptibilityMethod"];
            /** Mic */
            mic?: string | null;
            interpretation?: components["schemas"]["ResultFlag"] | null;
            /** @default cascade */
            reporting: components["schemas"]["Reporting"];
            /** Comment */
            comment?: string | null;
        };
        /**
         * SettingChange
         * @description A setting before and after a change, as people read it; ``name`` is its name on the wire.
         */
        SettingChange: {
            /** Name */
            name: string;
            /** Old */
            old: string;
            /** New */
            new: string;
        };
        /** SexualOrientationsPage */
        SexualOrientationsPage: {
            /** Data */
            data: components["schemas"]["SexualOrientationsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** SexualOrientationsRow */
        SexualOrientationsRow: {
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * SignIn
         * @description POST /auth/login; ``code`` comes from the authenticator app, or is a recovery code.
         */
        SignIn: {
            /** Loginid */
            loginId: string;
            /** Password */
            password: string;
            /** Applicationid */
            applicationId?: string | null;
            /** Code */
            code?: string | null;
        };
        /**
         * SignOrdersRequest
         * @description POST sign-multiple. The token identifies the signer; ``username`` is ignored (DECISIONS).
         *
         *     Attributes:
         *         versions: those of the orders that the user has seen, by id.
         */
        SignOrdersRequest: {
            /** Image */
            image?: string | null;
            /** Username */
            username?: string | null;
            /**
             * Ordersids
             * @default []
             */
            ordersIds: number[];
            /**
             * Versions
             * @default {}
             */
            versions: {
                [key: string]: number;
            };
        };
        /**
         * SignRequest
         * @description POST sign-multiple. The token identifies the signer; ``username`` is ignored (DECISIONS).
         */
        SignRequest: {
            /** Image */
            image?: string | null;
            /** Username */
            username?: string | null;
            /**
             * Requisitionsids
             * @default []
             */
            requisitionsIds: number[];
            /**
             * Versions
             * @default {}
             */
            versions: {
                [key: string]: number;
            };
        };
        /**
         * SignUp
         * @description A patient who signs up; ``code`` is the lab patient id.
         */
        SignUp: {
            /** Lastname */
            lastName?: string | null;
            /** Firstname */
            firstName?: string | null;
            /** Birthdate */
            birthDate?: string | null;
            /** Code */
            code?: string | null;
            /** Email */
            email?: string | null;
            registration?: components["schemas"]["RegistrationWrite"] | null;
        };
        /**
         * SignatureFilter
         * @description The signature radio of the requisition search (O 2.2).
         * @enum {string}
         */
        SignatureFilter: "signed" | "notSigned" | "all";
        /**
         * SignatureHistoryRead
         * @description A current or earlier signature; ``removed_at`` is None for the current signature.
         */
        SignatureHistoryRead: {
            /** Imagesignature */
            imageSignature: string;
            /** Username */
            userName: string;
            /** Signeddatetime */
            signedDateTime: string;
            /** Id */
            id: number;
            /** Removedat */
            removedAt: string | null;
        };
        /**
         * SignatureRead
         * @description The signature viewer's content (O 2.5).
         */
        SignatureRead: {
            /** Imagesignature */
            imageSignature: string;
            /** Username */
            userName: string;
            /** Signeddatetime */
            signedDateTime: string;
        };
        /**
         * Signed
         * @description The id and the new version of a requisition.
         */
        Signed: {
            /** Id */
            id: number;
            /** Version */
            version: number;
        };
        /**
         * SignedIn
         * @description The answer to sign-in and refresh.
         */
        SignedIn: {
            /** Token */
            token: string;
            /** Refreshtoken */
            refreshToken?: string | null;
            user: components["schemas"]["Profile"];
        };
        /**
         * SignedList
         * @description The changed requisitions.
         */
        SignedList: {
            /** Data */
            data: components["schemas"]["Signed"][];
        };
        /**
         * SignedOrder
         * @description An order that was signed or unsigned.
         */
        SignedOrder: {
            /** Id */
            id: number;
            /** Version */
            version: number;
        };
        /**
         * SignedOrders
         * @description The signed orders.
         */
        SignedOrders: {
            /** Data */
            data: components["schemas"]["SignedOrder"][];
        };
        /**
         * SignedUp
         * @description The address to which the invitation of a patient who signed up is sent.
         */
        SignedUp: {
            /** Email */
            email: string;
        };
        /**
         * SpecimenLimits
         * @description The limits of a valid specimen, both inclusive.
         */
        SpecimenLimits: {
            /** Low */
            low: string | null;
            /** High */
            high: string | null;
        };
        /**
         * SpecimenRead
         * @description A tube of an order.
         *
         *     Attributes:
         *         conditions, reason: in the lab's words.
         *         condition_codes: the codes of ``conditions``.
         *         is_needed: whether a test that is not canceled needs it.
         *         is_replacement: whether it was requested because an earlier tube was rejected.
         *         received_by, rejected_by: patients do not see them.
         */
        SpecimenRead: {
            /** Number */
            number: number;
            /** Container */
            container: string;
            /** Specimen */
            specimen: string;
            /** Id */
            id: number;
            state: components["schemas"]["SpecimenState"];
            /** Conditions */
            conditions: string[];
            /** Conditioncodes */
            conditionCodes: string[];
            /** Conditionwords */
            conditionWords: string | null;
            /** Isneeded */
            isNeeded: boolean;
            /** Isreplacement */
            isReplacement: boolean;
            /** Collectedat */
            collectedAt: string | null;
            /** Receivedat */
            receivedAt: string | null;
            /** Receivedby */
            receivedBy: string | null;
            /** Reason */
            reason: string | null;
            /** Reasonwords */
            reasonWords: string | null;
            /** Rejectedat */
            rejectedAt: string | null;
            /** Rejectedby */
            rejectedBy: string | null;
        };
        /**
         * SpecimenState
         * @description Whether a tube is still expected, was received, or was rejected.
         * @enum {string}
         */
        SpecimenState: "expected" | "received" | "rejected";
        /**
         * SpecimensRead
         * @description The tubes of an order by number, each rejected one before its replacement.
         *
         *     ``client_to_call`` is the client if no e-mail can report a rejection; only the lab sees it.
         */
        SpecimensRead: {
            /** Orderid */
            orderId: number;
            /** Version */
            version: number;
            /** Specimencondition */
            specimenCondition: string;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Collectionsites */
            collectionSites: string[];
            /** Entryalert */
            entryAlert: string | null;
            /** Tubes */
            tubes: components["schemas"]["SpecimenRead"][];
            clientToCall: components["schemas"]["ClientToCall"] | null;
            canChange: components["schemas"]["Permission"];
        };
        /**
         * SpecimensWrite
         * @description PUT specimens: later receptions and rejections of tubes.
         */
        SpecimensWrite: {
            /** Entryalert */
            entryAlert?: string | null;
            /** Collectionsite */
            collectionSite?: string | null;
            /**
             * Tubes
             * @default []
             */
            tubes: components["schemas"]["TubeWrite"][];
        };
        /**
         * SsnCheck
         * @description A number to look for; the patient ``patient_id`` may have it.
         */
        SsnCheck: {
            /** Ssn */
            ssn: string;
            /** Patientid */
            patientId?: number | null;
        };
        /**
         * StatusCounts
         * @description How many rows have each status; ``counts`` is empty if there are too many to count.
         */
        StatusCounts: {
            /** Counts */
            counts: {
                [key: string]: number;
            };
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
        };
        /**
         * StorageKey
         * @description A key for the browser's storage: base64 of 32 bytes.
         */
        StorageKey: {
            /** Key */
            key: string;
        };
        /**
         * SupplyCategoryShape
         * @description A category with its supplies.
         */
        SupplyCategoryShape: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Supplies */
            supplies: components["schemas"]["SupplyShape"][];
        };
        /**
         * SupplyRequestWrite
         * @description POST supplies/email; ``client`` is a client's name, ``message`` HTML.
         */
        SupplyRequestWrite: {
            /** Name */
            name?: string | null;
            /** Email */
            email?: string | null;
            /** Phone */
            phone?: string | null;
            /** Message */
            message?: string | null;
            /** Client */
            client?: string | null;
            /** Supplies */
            supplies?: components["schemas"]["CategoryWish"][];
        };
        /**
         * SupplyShape
         * @description A supply to ask for.
         */
        SupplyShape: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
        };
        /**
         * SupplyWish
         * @description A supply in a request; without a quantity and a unit it is left out.
         *
         *     ``config`` is the unit; ``configSelected`` is accepted too.
         */
        SupplyWish: {
            /** Id */
            id: number;
            /** Quantity */
            quantity?: number | null;
            /** Config */
            config?: string | null;
            /** Comment */
            comment?: string | null;
        };
        /**
         * SupportRequestRead
         * @description A request of the caller, with the state of its e-mail.
         *
         *     Attributes:
         *         reason: why it waits or has failed.
         *         supplies: the number of supplies that it asks for.
         */
        SupportRequestRead: {
            /** Id */
            id: number;
            kind: components["schemas"]["RequestKind"];
            /**
             * Createdat
             * Format: date-time
             */
            createdAt: string;
            status: components["schemas"]["RequestStatus"];
            /** Sentat */
            sentAt: string | null;
            /** Reason */
            reason: string | null;
            /** Supplies */
            supplies: number;
        };
        /**
         * SusceptibilityMethod
         * @description How the susceptibility of an organism was measured.
         * @enum {string}
         */
        SusceptibilityMethod: "MIC" | "ETEST" | "ZONE";
        /**
         * SwitchWrite
         * @description POST switch: on, or off.
         */
        SwitchWrite: {
            /** Ison */
            isOn: boolean;
        };
        /**
         * TaskRead
         * @description The jobs of a task; ``lag_seconds`` is how long the oldest waiting one has been due.
         */
        TaskRead: {
            /** Name */
            name: string;
            /** Waiting */
            waiting: number;
            /** Running */
            running: number;
            /** Failed */
            failed: number;
            /** Lagseconds */
            lagSeconds: number;
        };
        /**
         * TellingMethod
         * @description How the lab notified somebody of critical results.
         * @enum {string}
         */
        TellingMethod: "phone" | "inPerson" | "fax" | "message";
        /**
         * TermShape
         * @description A term to choose: a source, site, quantity, finding, or mark.
         */
        TermShape: {
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Words */
            words: string | null;
        };
        /**
         * TestOfFavorite
         * @description A reference to a test by id.
         */
        TestOfFavorite: {
            /** Id */
            id: number;
        };
        /**
         * TestSending
         * @description POST test-sending: an e-mail address or a fax number.
         */
        TestSending: {
            /** Type */
            type: string;
            /** Value */
            value: string;
        };
        /**
         * TestSent
         * @description Whether the other side accepted the test; if not, why.
         */
        TestSent: {
            /** Issent */
            isSent: boolean;
            /** Trouble */
            trouble: string | null;
        };
        /**
         * TestShape
         * @description A test as other records name it; ``type`` is TEST or PANEL.
         */
        TestShape: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Alternatenames */
            alternateNames: string;
            /** Type */
            type: string;
        };
        /**
         * TestTree
         * @description A test with its members; ``is_confidential`` is the default for requisitions of the test.
         */
        TestTree: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Alternatenames */
            alternateNames: string;
            /** Type */
            type: string;
            /** Parentid */
            parentId: number | null;
            /** Isconfidential */
            isConfidential: boolean;
            /** Children */
            children: components["schemas"]["TestTree"][];
        };
        /**
         * TestTrial
         * @description A trial of the limits on the results of one test.
         */
        TestTrial: {
            /** Testid */
            testId: number;
            /** Name */
            name: string;
            /** Results */
            results: number;
            /** Comparable */
            comparable: number;
            /** Released */
            released: number;
            /** Corrected */
            corrected: number;
        };
        /**
         * TestWrite
         * @description A chosen test; the members of a panel come from the catalog.
         */
        TestWrite: {
            test: components["schemas"]["IdOf"];
            /**
             * Isconfidential
             * @default false
             */
            isConfidential: boolean;
        };
        /** TestsByNamePage */
        TestsByNamePage: {
            /** Data */
            data: components["schemas"]["TestsByNameRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** TestsByNameRow */
        TestsByNameRow: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
        };
        /** TestsPage */
        TestsPage: {
            /** Data */
            data: components["schemas"]["TestsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** TestsRow */
        TestsRow: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Alternatenames */
            alternateNames: string;
            /** Type */
            type: string;
            /** Specimen */
            specimen: string | null;
            /** Container */
            container: string | null;
            /** Onlist */
            onList: boolean;
            /** Isexact */
            isExact: boolean;
        };
        /**
         * TimelineEvent
         * @description A timeline event; ``record_id`` and ``code`` identify the record that a click opens.
         */
        TimelineEvent: {
            /** Id */
            id: string;
            /** Kind */
            kind: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** By */
            by: string | null;
            /** Title */
            title: string;
            /** Detail */
            detail: string | null;
            /** Recordid */
            recordId: number | null;
            /** Code */
            code: string | null;
        };
        /** TimelinePage */
        TimelinePage: {
            /** Data */
            data: components["schemas"]["TimelineEvent"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /**
         * ToxicologyEntry
         * @description The toxicology entry screen of one order.
         *
         *     ``specimen_fault`` and ``verdicts`` are those that clients see after a release by the reader: a
         *     result on hold, under review, or withdrawn counts as pending. ``gone_verdicts`` are the reasons
         *     of the verdicts that clients see now and would no longer see after that release.
         */
        ToxicologyEntry: {
            /** Orderid */
            orderId: number;
            /** Codevalue */
            codeValue: string;
            /** Version */
            version: number;
            /** Status */
            status: number;
            /** Clientname */
            clientName: string;
            /** Collectiondate */
            collectionDate: string;
            /** Specimencondition */
            specimenCondition: string;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Reportcomment */
            reportComment: string | null;
            /** Reported */
            reported: string | null;
            patient: components["schemas"]["EntryPatient"];
            /** Holdrecords */
            holdRecords: components["schemas"]["HoldRecord"][];
            canEnterResults: components["schemas"]["Permission"];
            canRelease: components["schemas"]["Permission"];
            /** Medications */
            medications: string[];
            /** Specimenfault */
            specimenFault: string | null;
            /** Verdicts */
            verdicts: components["schemas"]["ToxicologyVerdictRead"][];
            /** Goneverdicts */
            goneVerdicts: string[];
            /** Rows */
            rows: components["schemas"]["ToxicologyEntryRow"][];
        };
        /**
         * ToxicologyEntryRow
         * @description A test on the toxicology entry screen.
         *
         *     Attributes:
         *         same_as: the row where the result is entered, if several panels contain the test.
         *         result_unit: the unit of the stored result, which was entered before ``unit`` changed.
         *         unit_notice: what to know about a result or limits in another unit than the test has now.
         *         judged_limits: those by which the stored result of a test of the specimen was judged.
         *         measured: the measured value, before it is multiplied by ``dilution``.
         *         first_result: the value that a repeat replaced.
         *         released: the newest released result, with its time and the person who released it.
         *         left_because: why the reader may not release the entered result now.
         */
        ToxicologyEntryRow: {
            /** Ordertestid */
            orderTestId: number;
            /** Sameas */
            sameAs: number | null;
            /** Parentid */
            parentId: number | null;
            /** Level */
            level: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Ispanel */
            isPanel: boolean;
            method: components["schemas"]["ToxicologyMethod"] | null;
            /** Unit */
            unit: string | null;
            /** Cutoff */
            cutOff: string | null;
            /** Low */
            low: string | null;
            /** High */
            high: string | null;
            /** Detectionwindow */
            detectionWindow: string | null;
            /** Resultunit */
            resultUnit: string | null;
            /** Unitnotice */
            unitNotice: string | null;
            judgedLimits: components["schemas"]["SpecimenLimits"] | null;
            /** Decimals */
            decimals: number | null;
            /** Possiblelow */
            possibleLow: number | null;
            /** Possiblehigh */
            possibleHigh: number | null;
            /** Plausiblelow */
            plausibleLow: number | null;
            /** Plausiblehigh */
            plausibleHigh: number | null;
            /** Choices */
            choices: string[];
            /** Result */
            result: string | null;
            /** Measured */
            measured: string | null;
            /** Dilution */
            dilution: number | null;
            /** Firstresult */
            firstResult: string | null;
            /** Isconfirmed */
            isConfirmed: boolean;
            /** Comment */
            comment: string | null;
            /** Reasoncode */
            reasonCode: string | null;
            /** Reason */
            reason: string | null;
            /** Explanation */
            explanation: string | null;
            /** Isdetected */
            isDetected: boolean | null;
            /** Status */
            status: number;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Predatesspecimen */
            predatesSpecimen: boolean;
            /** Released */
            released: string | null;
            /** Releasedat */
            releasedAt: string | null;
            /** Releasedby */
            releasedBy: string | null;
            withheld: components["schemas"]["EntryWithholding"] | null;
            /** Holds */
            holds: components["schemas"]["EntryHold"][];
            /** Leftbecause */
            leftBecause: string | null;
            /** Enteredby */
            enteredBy: string | null;
        };
        /**
         * ToxicologyEntryWrite
         * @description PUT toxicology-entry.
         */
        ToxicologyEntryWrite: {
            /**
             * Results
             * @default []
             */
            results: components["schemas"]["ToxicologyResultWrite"][];
        };
        /**
         * ToxicologyMethod
         * @description What a toxicology test examines: a class of drugs, one substance, or the specimen itself.
         * @enum {string}
         */
        ToxicologyMethod: "screen" | "confirmation" | "validity";
        /**
         * ToxicologyRelease
         * @description POST toxicology-release: these tests, or all entered results when null.
         */
        ToxicologyRelease: {
            /** Ordertestids */
            orderTestIds?: number[] | null;
        };
        /**
         * ToxicologyResultWrite
         * @description An entered result; an empty result withdraws an unreleased entry.
         *
         *     Attributes:
         *         dilution: the factor by which the result is multiplied.
         *         is_repeat: whether the replaced result is stored as the first value.
         *         is_confirmed: the answer to the question whether an unusual result is right.
         */
        ToxicologyResultWrite: {
            /** Ordertestid */
            orderTestId: number;
            /** Result */
            result?: string | null;
            /** Comment */
            comment?: string | null;
            /** Dilution */
            dilution?: number | string | null;
            /** Isrepeat */
            isRepeat?: boolean | null;
            /** Isconfirmed */
            isConfirmed?: boolean | null;
            /** Reasoncode */
            reasonCode?: string | null;
            /** Explanation */
            explanation?: string | null;
        };
        /**
         * ToxicologyRow
         * @description A row of a section: a verdict, or one of the tests that it rests on (R 3).
         *
         *     Attributes:
         *         validity_range: the limits of a valid specimen, if this is a test of the specimen.
         *         is_invalid: whether this result makes the specimen invalid.
         *         specimen_fault: why the verdicts in force call the order's specimen invalid.
         *         rx_verification: the reason of the verdict.
         *         withheld: set while the released result is under review or withdrawn; then only the lab sees
         *             the result.
         *         reason, explanation: why the result before this one was corrected. Outside the lab,
         *             ``corrected_from`` does not contain that earlier result if it was withdrawn.
         *         corrected_from: the earlier results, oldest first.
         */
        ToxicologyRow: {
            /** Treeid */
            treeId: string;
            /** Key */
            key: string;
            /** Parentkey */
            parentKey: string | null;
            /** Tests */
            tests: string[];
            /** Medicationname */
            medicationName: string | null;
            /** Name */
            name: string;
            /** Result */
            result: string | null;
            /** Unit */
            unit: string | null;
            /** Detectionwindow */
            detectionWindow: string | null;
            /** Cutoff */
            cutOff: string | null;
            /** Validityrange */
            validityRange: string | null;
            /** Isinvalid */
            isInvalid: boolean;
            /** Specimenfault */
            specimenFault: string | null;
            /** Rxverification */
            rxVerification: string | null;
            /** Ispanel */
            isPanel: boolean;
            /** Ispresumptive */
            isPresumptive: boolean;
            /** Isdetected */
            isDetected: boolean | null;
            /** Status */
            status: number;
            withheld: components["schemas"]["Withholding"] | null;
            /** Withheldat */
            withheldAt: string | null;
            /** Awaitscollection */
            awaitsCollection: boolean;
            /** Releasedat */
            releasedAt: string | null;
            /** Releasedby */
            releasedBy: string | null;
            /** Reason */
            reason: string | null;
            /** Explanation */
            explanation: string | null;
            /** Correctedfrom */
            correctedFrom: components["schemas"]["ToxicologyVersion"][];
            data: components["schemas"]["ToxicologyRowData"];
        };
        /**
         * ToxicologyRowData
         * @description The comments on a row (R 3): those of a report, and the one that was entered.
         */
        ToxicologyRowData: {
            /** Resultreportcomments */
            resultReportComments: string[];
            /** Comment */
            comment: string | null;
        };
        /**
         * ToxicologySettings
         * @description The lab's label for an unexpected positive (R 7).
         */
        ToxicologySettings: {
            /** Abnormalresult */
            abnormalResult: string;
        };
        /**
         * ToxicologyVerdict
         * @description Whether a toxicology result fits the reported medications (R 2.2).
         * @enum {string}
         */
        ToxicologyVerdict: "consistent" | "unexpectedNegative" | "unexpectedPositive" | "other";
        /**
         * ToxicologyVerdictRead
         * @description A released verdict, or one that a release would store.
         *
         *     A critical verdict opens a critical notice. ``is_shown`` says whether readers see it already.
         */
        ToxicologyVerdictRead: {
            kind: components["schemas"]["ToxicologyVerdict"];
            /** Medication */
            medication: string;
            /** Name */
            name: string;
            /** Why */
            why: string;
            /** Ispresumptive */
            isPresumptive: boolean;
            /** Iscritical */
            isCritical: boolean;
            /** Isshown */
            isShown: boolean;
        };
        /**
         * ToxicologyVersion
         * @description A released result that a correction replaced.
         */
        ToxicologyVersion: {
            /** Result */
            result: string;
            /** Unit */
            unit: string | null;
            /** Comment */
            comment: string | null;
            /** Releasedat */
            releasedAt: string | null;
            /** Releasedby */
            releasedBy: string | null;
        };
        /**
         * TransmissionRead
         * @description An accepted transmission; ``GET .../transmissions?ids=`` shows its progress.
         */
        TransmissionRead: {
            /** Id */
            id: number;
            status: components["schemas"]["SendStatus"];
            /** Recipients */
            recipients: components["schemas"]["RecipientRead"][];
        };
        /**
         * TransmissionRequest
         * @description The requisitions to send and the recipient; ``type`` is 'email' or 'fax', ignoring case.
         */
        TransmissionRequest: {
            /** Ids */
            ids?: number[];
            /** Type */
            type?: string | null;
            /** Value */
            value?: string | null;
        };
        /**
         * TreeTest
         * @description A node of the test tree in its flat form.
         */
        TreeTest: {
            /** Testid */
            testId: number;
            /** Parenttestid */
            parentTestId: number | null;
            /** Level */
            level: number;
        };
        /**
         * TrialRead
         * @description A trial of limits on the released results of a period.
         *
         *     Attributes:
         *         results: how many results were tried.
         *         comparable: how many of them are in the unit and by the method of their limits; without any,
         *             a rule cannot be switched on.
         *         released: how many of them would have been released automatically.
         *         corrected: how many of ``released`` were corrected or withdrawn later.
         *         is_capped: whether there are more results than were tried.
         *         without_earlier: how many results had no earlier value, so that the largest change could not
         *             be tried.
         *         corrections: the newest of the results that ``corrected`` counts.
         */
        TrialRead: {
            /** Results */
            results: number;
            /** Comparable */
            comparable: number;
            /** Released */
            released: number;
            /** Corrected */
            corrected: number;
            /** Iscapped */
            isCapped: boolean;
            /** Withoutearlier */
            withoutEarlier: number;
            /** Obstacles */
            obstacles: components["schemas"]["ObstacleCount"][];
            /** Tests */
            tests: components["schemas"]["TestTrial"][];
            /** Corrections */
            corrections: components["schemas"]["CorrectedTrialResult"][];
        };
        /**
         * TrialRequest
         * @description POST try-out: one test with these limits or with its rule's limits, or all rules.
         */
        TrialRequest: {
            /** Testid */
            testId?: number | null;
            limits?: components["schemas"]["LimitsWrite"] | null;
            /** Startdate */
            startDate?: string | null;
            /** Enddate */
            endDate?: string | null;
        };
        /**
         * TubeWrite
         * @description The state of a tube: received, still expected, or rejected.
         *
         *     Attributes:
         *         number: the number on its label.
         *         conditions: codes of the lab's reasons of the kind 'condition'.
         *         reason: a code of the lab's reasons of the kind 'rejection'.
         *         collected_at: the collection of a replacement.
         */
        TubeWrite: {
            /** Number */
            number: number;
            state: components["schemas"]["SpecimenState"];
            /**
             * Conditions
             * @default []
             */
            conditions: string[];
            /** Conditionwords */
            conditionWords?: string | null;
            /** Reason */
            reason?: string | null;
            /** Reasonwords */
            reasonWords?: string | null;
            /** Collectedat */
            collectedAt?: string | null;
        };
        /** UnitsPage */
        UnitsPage: {
            /** Data */
            data: components["schemas"]["UnitsRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** UnitsRow */
        UnitsRow: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * UnsignOrdersRequest
         * @description POST unsign-multiple: remove the actor's own signatures of these orders.
         *
         *     Attributes:
         *         versions: those of the orders that the user has seen, by id.
         */
        UnsignOrdersRequest: {
            /**
             * Ordersids
             * @default []
             */
            ordersIds: number[];
            /**
             * Versions
             * @default {}
             */
            versions: {
                [key: string]: number;
            };
        };
        /**
         * UserChange
         * @description The changes that users may make to their own account; other fields are ignored.
         */
        UserChange: {
            /** Firstname */
            firstName?: string | null;
            /** Lastname */
            lastName?: string | null;
            data?: components["schemas"]["ProfileDataChange"] | null;
        };
        /**
         * UserData
         * @description The ids of the clients, patients and physicians that a user acts for.
         */
        UserData: {
            /** Clients */
            clients?: number[] | null;
            /** Patients */
            patients?: number[] | null;
            /** Physicians */
            physicians?: number[] | null;
        };
        /**
         * UserImport
         * @description The rows of a file of people, or of a part of it.
         *
         *     ``accepted`` is the number of rows without errors, ``rejected`` that of the others. ``rows`` has
         *     at most 1,000 of them, those with errors first if there are more. ``nextRow`` is where the next
         *     part of an import begins; null after the last.
         */
        UserImport: {
            /** Accepted */
            accepted: number;
            /** Rejected */
            rejected: number;
            /** Rows */
            rows: components["schemas"]["UserImportRow"][];
            /** Nextrow */
            nextRow: number | null;
        };
        /**
         * UserImportRow
         * @description A row of the file, as its spreadsheet numbers it; without errors, the person is invited.
         *
         *     ``assigned`` has the names of the clients, physicians or patients that the codes stand for.
         */
        UserImportRow: {
            /** Number */
            number: number;
            /** Email */
            email: string;
            /** Lastname */
            lastName: string;
            /** Firstname */
            firstName: string;
            /** Role */
            role: string;
            /** Assigned */
            assigned: string[];
            /** Errors */
            errors: string[];
        };
        /**
         * UserImportWrite
         * @description A CSV file of people; ``content`` is base64 or a data URL.
         *
         *     ``firstRow`` is where an import begins, as the spreadsheet numbers the rows. Each call imports
         *     one part of a long file, and answers where the next begins.
         */
        UserImportWrite: {
            /** Content */
            content: string;
            /**
             * Firstrow
             * @default 2
             */
            firstRow: number;
        };
        /**
         * UserRead
         * @description A user, with what the signed-in administrator may do.
         */
        UserRead: {
            /**
             * Id
             * Format: uuid
             */
            id: string;
            /** Version */
            version: number;
            /** Email */
            email: string;
            /** Username */
            username: string;
            /** Lastname */
            lastName: string;
            /** Firstname */
            firstName: string;
            /** Active */
            active: boolean;
            role: components["schemas"]["Role"];
            /** Registrations */
            registrations: components["schemas"]["RegistrationRead"][];
            data: components["schemas"]["AssignedIds"];
            /** Lastlogininstant */
            lastLoginInstant: string | null;
            /** Clients */
            clients: components["schemas"]["AssignedClient"][];
            /** Physicians */
            physicians: components["schemas"]["AssignedPhysician"][];
            /** Patients */
            patients: components["schemas"]["AssignedPatient"][];
            canChange: components["schemas"]["Permission"];
            canChangeAccess: components["schemas"]["Permission"];
            canChangeRole: components["schemas"]["Permission"];
            canChangeEmail: components["schemas"]["Permission"];
            canDelete: components["schemas"]["Permission"];
            canInvite: components["schemas"]["Permission"];
        };
        /**
         * UserWrite
         * @description A user as sent, with its registration; absent fields stay unchanged.
         */
        UserWrite: {
            /** Email */
            email?: string | null;
            /** Lastname */
            lastName?: string | null;
            /** Firstname */
            firstName?: string | null;
            /** Active */
            active?: boolean | null;
            /** Role */
            role?: string | null;
            data?: components["schemas"]["UserData"] | null;
            registration?: components["schemas"]["RegistrationWrite"] | null;
        };
        /** UsersPage */
        UsersPage: {
            /** Data */
            data: components["schemas"]["UsersRow"][];
            /** Totalcount */
            totalCount: number;
            /** Totaliscapped */
            totalIsCapped: boolean;
            /** Next */
            next: string | null;
        };
        /** UsersRow */
        UsersRow: {
            /** Id */
            id: string;
            /** Number */
            number: number;
            /** Email */
            email: string;
            /** Lastname */
            lastName: string;
            /** Firstname */
            firstName: string;
            /** Lastlogininstant */
            lastLoginInstant: string | null;
            /** Role */
            role: string;
            /** Active */
            active: boolean;
            /** Version */
            version: number;
            /** Isgiven */
            isGiven: boolean;
            /** Iswithin */
            isWithin: boolean;
            /** Isself */
            isSelf: boolean;
        };
        /**
         * VerifyRequest
         * @description POST verify: these tests, or all entered results when null.
         */
        VerifyRequest: {
            /** Ordertestids */
            orderTestIds?: number[] | null;
        };
        /**
         * WaitingCount
         * @description How many records wait, and the search that finds exactly these.
         *
         *     The dates, ``status``, ``signature``, and the flags are filters of the list.
         *
         *     Attributes:
         *         is_capped: whether ``count`` records or more wait.
         *         searched: the list.
         */
        WaitingCount: {
            kind: components["schemas"]["WaitingKind"];
            /** Count */
            count: number;
            /** Iscapped */
            isCapped: boolean;
            searched: components["schemas"]["SearchedList"];
            /** Startdate */
            startDate: string | null;
            /** Enddate */
            endDate: string | null;
            /** Status */
            status: number;
            signature: components["schemas"]["SignatureFilter"] | null;
            /** Awaitscollection */
            awaitsCollection: boolean | null;
            /** Alertresults */
            alertResults: boolean | null;
            /** Unread */
            unread: boolean | null;
            /** Unreadbyphysician */
            unreadByPhysician: boolean | null;
        };
        /**
         * WaitingKind
         * @description The kinds of work that wait for people.
         * @enum {string}
         */
        WaitingKind: "critical" | "alerts" | "toSign" | "toCollect" | "toRecollect" | "toReceive" | "cameIn";
        /**
         * WebResultSettings
         * @description The tests that have a column in the order search, in the lab's order.
         */
        WebResultSettings: {
            /** Tests */
            tests: components["schemas"]["ResultColumn"][];
        };
        /**
         * WithholdRequest
         * @description POST withhold: put released results under review, or withdraw them.
         */
        WithholdRequest: {
            /** Reason */
            reason: string;
            /** Words */
            words?: string | null;
            /** Ordertestids */
            orderTestIds: number[];
            kind: components["schemas"]["Withholding"];
        };
        /**
         * Withholding
         * @description Why a released result is visible to nobody outside the lab.
         * @enum {string}
         */
        Withholding: "review" | "withdrawn";
        /**
         * ZipCodeRef
         * @description A ZIP code named by id or by its five digits.
         */
        ZipCodeRef: {
            /** Id */
            id?: number | null;
            /** Code */
            code?: string | null;
        };
        /**
         * ZipCodeShape
         * @description A ZIP code with its place.
         */
        ZipCodeShape: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** City */
            city: string;
            /** State */
            state: string;
        };
        /**
         * ClientOfPatient
         * @description The client of an order, with its patient.
         */
        app__server__orders__schemas__ClientOfPatient: {
            /** Name */
            name: string;
            /** Phone */
            phone: string | null;
            /** Fax */
            fax: string | null;
        };
        /**
         * ClientOfPatient
         * @description The client of a patient.
         */
        app__server__patients__schemas__ClientOfPatient: {
            /** Id */
            id: number;
            /** Code */
            code: string;
            /** Name */
            name: string;
            /** Webaccess */
            webAccess: boolean;
            /** Address */
            address: string | null;
            zipCode: components["schemas"]["ZipCodeShape"] | null;
            /** Zipcodeplus4 */
            zipCodePlus4: string | null;
            /** Defaultbillto */
            defaultBillTo: string | null;
            /** Requiresphysician */
            requiresPhysician: boolean;
        };
        /**
         * DiagnosisList
         * @description The patient's diagnoses, bare or under ``diagnoses``.
         */
        app__server__patients__schemas__DiagnosisList: {
            /** Diagnoses */
            diagnoses: components["schemas"]["DiagnosisWrite"][] | null;
        };
        /**
         * MedicationList
         * @description The patient's medications, bare or under ``medications``.
         */
        app__server__patients__schemas__MedicationList: {
            /** Medications */
            medications: components["schemas"]["MedicationWrite"][] | null;
        };
        /**
         * DiagnosisList
         * @description POST save-diagnoses: bare or under ``diagnoses``.
         */
        app__server__requisitions__schemas__DiagnosisList: {
            /** Diagnoses */
            diagnoses: components["schemas"]["DiagnosisOfTestWrite"][] | null;
        };
        /**
         * MedicationList
         * @description POST save-medications: bare or under ``medications``.
         */
        app__server__requisitions__schemas__MedicationList: {
            /** Medications */
            medications: components["schemas"]["RequisitionMedicationWrite"][] | null;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            code: string;
            detail: string;
            errors: {
                field: string;
                message: string;
            }[];
            updatedBy?: string;
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
