/** Generated from the OpenAPI description by clients/typescript/generate.ts. Do not edit. */
export interface paths {
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account of the key
         * @description The account the key belongs to, its plan and the rights of the API. Usable as a connection test.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List income sources
         * @description Every UK property, overseas property and self-employment business of the account, oldest first.
         */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List category keys
         * @description The category keys accepted when posting transactions: of every source type, or of one with `sourceType`.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sources/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of a source
         * @description Newest date first, and the newest created first within a date. While `nextCursor` is not null there are more: pass it as `cursor`, with the same `from` and `to`. A cursor of another source or other filters is refused. A page above 15,000 bytes is compressed if the client accepts gzip.
         */
        get: operations["listTransactions"];
        put?: never;
        /**
         * Create entries on a source
         * @description Sends one transaction or an array of 1 to 500: all of them are recorded or none is. An entry whose `externalRef` is already recorded for the account is not created again but returned in `existing`, so a request with references can be repeated safely. A reference that occurs twice in a request counts as sent one after the other. An entry without `category` goes to the review queue. For entries without a reference, an `Idempotency-Key` makes the request as a whole safe to repeat.
         */
        post: operations["createTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The account a key belongs to, and the rights of the key. */
        Account: {
            /**
             * Format: uuid
             * @description The account the key belongs to.
             * @example 019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e
             */
            accountId: string;
            /**
             * @description The plan of the account. Known: `free`, `pro`, `expat`, `firm`. Others may be added.
             * @example free
             */
            plan: string;
            capabilities: {
                readBookkeeping: boolean;
                writeBookkeeping: boolean;
                /**
                 * @description Always false: filing is done in the app.
                 * @example false
                 */
                hmrcSubmission: boolean;
            };
            /** @description Text for a person. */
            note?: string;
        };
        /** @description An income source, set up in the app. */
        Source: {
            /**
             * Format: uuid
             * @description Passed as `{id}` to the transactions endpoints.
             * @example 019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e
             */
            id: string;
            /** @example 12 Acacia Avenue */
            name: string;
            /**
             * @description The kind of income source. Known: `uk-property`, `foreign-property`, `self-employment`. Others may be added.
             * @example uk-property
             */
            type: string;
            /** @description ISO 3166-1 alpha-2 for overseas property, otherwise null. */
            countryCode: string | null;
            /** @enum {string} */
            role: "owner" | "sharer";
            /** @description The account holder's share of a jointly held property, as a percentage. */
            sharePercent: number;
            /**
             * Format: int32
             * @description Ledger entries currently recorded against the source.
             */
            transactionCount: number;
        };
        SourceList: {
            sources: components["schemas"]["Source"][];
        };
        Category: {
            /**
             * @description Accepted in a transaction's `category`.
             * @example periodAmount
             */
            key: string;
            /** @example rent received */
            label: string;
        };
        /** @description The categories of one source type. */
        CategorySet: {
            income: components["schemas"]["Category"][];
            expense: components["schemas"]["Category"][];
        };
        /** @description The categories of every source type. */
        CategorySets: {
            "uk-property": components["schemas"]["CategorySet"];
            "foreign-property": components["schemas"]["CategorySet"];
            "self-employment": components["schemas"]["CategorySet"];
        };
        /** @description The category sets by source type; with `sourceType` that one set. */
        Categories: components["schemas"]["CategorySets"] | components["schemas"]["CategorySet"];
        /** @description A ledger entry as it is stored. */
        Transaction: {
            /**
             * Format: uuid
             * @description Given by the service.
             * @example 019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e
             */
            id: string;
            /** Format: date */
            date: string;
            /** @enum {string} */
            type: "income" | "expense";
            /** @description Null while the entry waits in the review queue. */
            category: string | null;
            /**
             * Format: int64
             * @description Whole pence.
             */
            amountPence: number;
            description: string | null;
            externalRef: string | null;
        };
        /** @description A ledger entry to create. */
        TransactionInput: {
            /**
             * Format: date
             * @description The day of the transaction. A real day from 0001-01-01 to 9999-12-31.
             * @example 2026-04-06
             */
            date: string;
            /** @enum {string} */
            type: "income" | "expense";
            /**
             * Format: int64
             * @description Whole pence, written as an integer: 450.00 pounds is 45000.
             * @example 45000
             */
            amountPence: number;
            /**
             * @description A key valid for the source's type and the entry's type. Without it the entry goes to the review queue. Any text without U+0000 and without unpaired surrogates.
             * @example periodAmount
             */
            category?: string;
            /**
             * @description What the transaction was for. Any text without U+0000 and without unpaired surrogates.
             * @example Rent, April
             */
            description?: string;
            /**
             * @description The client's own id. An entry whose externalRef is already in the books is not created again. Any text without U+0000 and without unpaired surrogates.
             * @example bank-2026-04-06-0001
             */
            externalRef?: string;
        };
        TransactionInputs: components["schemas"]["TransactionInput"][];
        /** @description One entry, or several. */
        CreateRequest: components["schemas"]["TransactionInput"] | components["schemas"]["TransactionInputs"];
        TransactionList: {
            transactions: components["schemas"]["Transaction"][];
            /** @description Passed as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
        };
        EntryReference: {
            /**
             * Format: uuid
             * @description The entry's id.
             * @example 019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e
             */
            id: string;
            externalRef: string | null;
        };
        Conflict: {
            /**
             * Format: int32
             * @description Position of the sent entry.
             */
            index: number;
            externalRef: string;
            /**
             * Format: uuid
             * @description The stored entry, which stands unchanged.
             * @example 019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e
             */
            id: string;
            /** @description Where the sent entry differs from the stored one. */
            fields: string[];
        };
        /** @description The outcome of each entry: created + deduplicated is the number sent. */
        CreateResult: {
            /**
             * Format: int32
             * @description Entries newly created.
             */
            created: number;
            /**
             * Format: int32
             * @description Entries matched by externalRef.
             */
            deduplicated: number;
            /** @description The newly created entries. */
            transactions: components["schemas"]["EntryReference"][];
            /** @description The matched entries, with their stored ids. */
            existing: components["schemas"]["EntryReference"][];
            /** @description Matched entries whose stored content differs from the sent entry. Only present when there are any. */
            conflicts?: components["schemas"]["Conflict"][];
        };
        Issue: {
            /**
             * @description JSON pointer to the fault: into the body, or to the query parameter.
             * @example /3/amountPence
             */
            path: string;
            /** @description The fault, and how to correct it. */
            message: string;
        };
        /** @description Every failure has this shape. */
        Error: {
            error: {
                /**
                 * @description Stable, for programs. If you do not know a code, use the status. Known: `missing_key`, `invalid_key`, `upgrade_required`, `read_only_key`, `not_found`, `source_not_found`, `method_not_allowed`, `invalid_request`, `invalid_json`, `invalid_idempotency_key`, `request_timeout`, `payload_too_large`, `unsupported_encoding`, `invalid_query`, `invalid_source_type`, `empty_body`, `too_many`, `idempotency_key_reused`, `invalid_transaction`, `invalid_category`, `rate_limited`, `daily_cap`, `server_error`. Others may be added.
                 * @example missing_key
                 */
                code: string;
                /** @description For people. */
                message: string;
                /** @description The faults and their places: with invalid_transaction, invalid_query and invalid_category. */
                issues?: components["schemas"]["Issue"][];
                /** @description The accepted keys: with invalid_category. */
                validCategories?: string[];
                /**
                 * Format: int32
                 * @description Entries in 24 hours: with daily_cap.
                 */
                limit?: number;
                /**
                 * Format: int32
                 * @description Entries that fit now: with daily_cap.
                 */
                remaining?: number;
                /**
                 * Format: int32
                 * @description The position of the first entry that does not fit now: with daily_cap. The entries before it fit.
                 */
                index?: number;
                /**
                 * Format: int32
                 * @description Until this request fits: with daily_cap.
                 */
                retryAfterSeconds?: number;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Requests that the limit of 60 seconds still admits now.
         * @example 119
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description The limits, in the format of draft-ietf-httpapi-ratelimit-headers.
         * @example "minute";q=120;w=60, "day";q=5000;w=86400;qu="transactions"
         */
        "RateLimit-Policy": string;
        /**
         * @description What remains: `r` requests of the minute and, where known, transactions of the day; `t` is the time in seconds until there is room again.
         * @example "minute";r=119, "day";r=4812
         */
        RateLimit: string;
        /**
         * @description Seconds until the request can succeed.
         * @example 17
         */
        "Retry-After": number;
        /**
         * @description How to authenticate.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description The methods that the path has.
         * @example GET, HEAD
         */
        Allow: string;
        /**
         * @description Identifies the request in the service's logs; the client's own id if it sent one.
         * @example 019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accountId": "019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e",
                     *       "plan": "pro",
                     *       "capabilities": {
                     *         "readBookkeeping": true,
                     *         "writeBookkeeping": true,
                     *         "hmrcSubmission": false
                     *       },
                     *       "note": "Quarterly updates and tax returns are confirmed and sent in the app; submission is not available through the API."
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description `invalid_request`: The `Host` header is malformed or repeated. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_key`: The request has no `Authorization: Bearer` header.
             *
             *     `invalid_key`: The key has the wrong form, does not exist, or was revoked. The response does not say which, except for the form.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upgrade_required`: The account's plan does not include API access. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such path, or the API is switched off in this environment. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `method_not_allowed`: The path exists, but not with this method. */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_query`: A query parameter is unknown, repeated, malformed or out of range. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has used its 120 requests of the last 60 seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sources. */
            200: {
                headers: {
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sources": [
                     *         {
                     *           "id": "019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e",
                     *           "name": "Gîte in the Lot",
                     *           "type": "foreign-property",
                     *           "countryCode": "FR",
                     *           "role": "sharer",
                     *           "sharePercent": 50,
                     *           "transactionCount": 128
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SourceList"];
                };
            };
            /** @description `invalid_request`: The `Host` header is malformed or repeated. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_key`: The request has no `Authorization: Bearer` header.
             *
             *     `invalid_key`: The key has the wrong form, does not exist, or was revoked. The response does not say which, except for the form.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upgrade_required`: The account's plan does not include API access. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such path, or the API is switched off in this environment. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `method_not_allowed`: The path exists, but not with this method. */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_query`: A query parameter is unknown, repeated, malformed or out of range. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has used its 120 requests of the last 60 seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /**
                 * @description The kind of income source. Known: `uk-property`, `foreign-property`, `self-employment`. Others may be added.
                 * @example uk-property
                 */
                sourceType?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category sets by source type; with `sourceType` that one set. */
            200: {
                headers: {
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "income": [
                     *         {
                     *           "key": "turnover",
                     *           "label": "sales and business income"
                     *         },
                     *         {
                     *           "key": "other",
                     *           "label": "other business income"
                     *         },
                     *         {
                     *           "key": "seTaxDeducted",
                     *           "label": "tax withheld from pay, CIS"
                     *         }
                     *       ],
                     *       "expense": [
                     *         {
                     *           "key": "costOfGoods",
                     *           "label": "cost of goods"
                     *         },
                     *         {
                     *           "key": "paymentsToSubcontractors",
                     *           "label": "payments to subcontractors"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Categories"];
                };
            };
            /** @description `invalid_request`: The `Host` header is malformed or repeated. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_key`: The request has no `Authorization: Bearer` header.
             *
             *     `invalid_key`: The key has the wrong form, does not exist, or was revoked. The response does not say which, except for the form.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upgrade_required`: The account's plan does not include API access. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such path, or the API is switched off in this environment. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `method_not_allowed`: The path exists, but not with this method. */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `invalid_query`: A query parameter is unknown, repeated, malformed or out of range.
             *
             *     `invalid_source_type`: `sourceType` is not one of the three source types.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has used its 120 requests of the last 60 seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /**
                 * @description Earliest date included. A real day from 0001-01-01 to 9999-12-31.
                 * @example 2026-04-06
                 */
                from?: string;
                /**
                 * @description Latest date included. A real day from 0001-01-01 to 9999-12-31.
                 * @example 2026-04-06
                 */
                to?: string;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Entries on a page. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A source id from GET /api/v1/sources.
                 * @example 019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactions": [
                     *         {
                     *           "id": "019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e",
                     *           "date": "2026-04-06",
                     *           "type": "income",
                     *           "category": "periodAmount",
                     *           "amountPence": 45000,
                     *           "description": "Rent, April",
                     *           "externalRef": "bank-2026-04-06-0001"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TransactionList"];
                };
            };
            /** @description `invalid_request`: The `Host` header is malformed or repeated. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_key`: The request has no `Authorization: Bearer` header.
             *
             *     `invalid_key`: The key has the wrong form, does not exist, or was revoked. The response does not say which, except for the form.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upgrade_required`: The account's plan does not include API access. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is no such path, or the API is switched off in this environment.
             *
             *     `source_not_found`: The account of the key has no source with this id, or the source was removed.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `method_not_allowed`: The path exists, but not with this method. */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_query`: A query parameter is unknown, repeated, malformed or out of range. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: The key has used its 120 requests of the last 60 seconds. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTransactions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique name for this request, such as a UUID: one word, or one string in double quotes, of ASCII characters. The same request sent again under the same key within 24 hours creates nothing and gets the first response again, even if that response never arrived.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A source id from GET /api/v1/sources.
                 * @example 019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRequest"];
            };
        };
        responses: {
            /** @description Every entry was already in the books. */
            200: {
                headers: {
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 0,
                     *       "deduplicated": 1,
                     *       "transactions": [],
                     *       "existing": [
                     *         {
                     *           "id": "019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8f",
                     *           "externalRef": "bank-2026-04-03-0007"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CreateResult"];
                };
            };
            /** @description At least one entry was created. */
            201: {
                headers: {
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 1,
                     *       "deduplicated": 1,
                     *       "transactions": [
                     *         {
                     *           "id": "019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e",
                     *           "externalRef": "bank-2026-04-06-0001"
                     *         }
                     *       ],
                     *       "existing": [
                     *         {
                     *           "id": "019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8f",
                     *           "externalRef": "bank-2026-04-03-0007"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CreateResult"];
                };
            };
            /**
             * @description `invalid_request`: The `Host` header is malformed or repeated.
             *
             *     `invalid_json`: The body is not JSON in UTF-8, or is declared as another content type.
             *
             *     `invalid_idempotency_key`: The `Idempotency-Key` header is malformed.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_key`: The request has no `Authorization: Bearer` header.
             *
             *     `invalid_key`: The key has the wrong form, does not exist, or was revoked. The response does not say which, except for the form.
             */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `upgrade_required`: The account's plan does not include API access.
             *
             *     `read_only_key`: The key reads only. Nothing was created.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is no such path, or the API is switched off in this environment.
             *
             *     `source_not_found`: The account of the key has no source with this id, or the source was removed.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `method_not_allowed`: The path exists, but not with this method. */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Allow: components["headers"]["Allow"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `request_timeout`: The body did not arrive within 30 seconds. The connection is closed. */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 5 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_encoding`: The body is compressed. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `invalid_query`: A query parameter is unknown, repeated, malformed or out of range.
             *
             *     `empty_body`: The array has no entries.
             *
             *     `too_many`: The array has more than 500 entries.
             *
             *     `invalid_transaction`: One or more fields are invalid. Nothing was created.
             *
             *     `invalid_category`: One or more categories are not accepted for the source's type and the entry's type. Nothing was created.
             *
             *     `idempotency_key_reused`: The account used the `Idempotency-Key` for another request within 24 hours.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `rate_limited`: The key has used its 120 requests of the last 60 seconds.
             *
             *     `daily_cap`: The entries do not fit in the 5000 that the account can create in 24 hours. Nothing was created.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `server_error`: The service failed. With status 503, the service is overloaded or a part of it is unavailable. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
