/** The schemas of responses, generated from the OpenAPI description by clients/typescript/generate.ts. Do not edit. */
export default {
  "Account": {
    "type": "object",
    "required": [
      "accountId",
      "plan",
      "capabilities"
    ],
    "properties": {
      "accountId": {
        "type": "string"
      },
      "plan": {
        "type": "string"
      },
      "capabilities": {
        "type": "object",
        "required": [
          "readBookkeeping",
          "writeBookkeeping",
          "hmrcSubmission"
        ],
        "properties": {
          "readBookkeeping": {
            "type": "boolean"
          },
          "writeBookkeeping": {
            "type": "boolean"
          },
          "hmrcSubmission": {
            "type": "boolean"
          }
        }
      },
      "note": {
        "type": "string"
      }
    }
  },
  "Category": {
    "type": "object",
    "required": [
      "key",
      "label"
    ],
    "properties": {
      "key": {
        "type": "string"
      },
      "label": {
        "type": "string"
      }
    }
  },
  "CategorySet": {
    "type": "object",
    "required": [
      "income",
      "expense"
    ],
    "properties": {
      "income": {
        "type": "array",
        "items": {
          "$ref": "Category"
        }
      },
      "expense": {
        "type": "array",
        "items": {
          "$ref": "Category"
        }
      }
    }
  },
  "CategorySets": {
    "type": "object",
    "required": [
      "uk-property",
      "foreign-property",
      "self-employment"
    ],
    "properties": {
      "uk-property": {
        "$ref": "CategorySet"
      },
      "foreign-property": {
        "$ref": "CategorySet"
      },
      "self-employment": {
        "$ref": "CategorySet"
      }
    }
  },
  "Conflict": {
    "type": "object",
    "required": [
      "index",
      "externalRef",
      "id",
      "fields"
    ],
    "properties": {
      "index": {
        "type": "integer"
      },
      "externalRef": {
        "type": "string"
      },
      "id": {
        "type": "string"
      },
      "fields": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    }
  },
  "CreateResult": {
    "type": "object",
    "required": [
      "created",
      "deduplicated",
      "transactions",
      "existing"
    ],
    "properties": {
      "created": {
        "type": "integer"
      },
      "deduplicated": {
        "type": "integer"
      },
      "transactions": {
        "type": "array",
        "items": {
          "$ref": "EntryReference"
        }
      },
      "existing": {
        "type": "array",
        "items": {
          "$ref": "EntryReference"
        }
      },
      "conflicts": {
        "type": "array",
        "items": {
          "$ref": "Conflict"
        }
      }
    }
  },
  "EntryReference": {
    "type": "object",
    "required": [
      "id",
      "externalRef"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "externalRef": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ]
      }
    }
  },
  "Error": {
    "type": "object",
    "required": [
      "error"
    ],
    "properties": {
      "error": {
        "type": "object",
        "required": [
          "code",
          "message"
        ],
        "properties": {
          "code": {
            "type": "string"
          },
          "message": {
            "type": "string"
          },
          "issues": {
            "type": "array",
            "items": {
              "$ref": "Issue"
            }
          },
          "validCategories": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "limit": {
            "type": "integer"
          },
          "remaining": {
            "type": "integer"
          },
          "index": {
            "type": "integer"
          },
          "retryAfterSeconds": {
            "type": "integer"
          }
        }
      }
    }
  },
  "Issue": {
    "type": "object",
    "required": [
      "path",
      "message"
    ],
    "properties": {
      "path": {
        "type": "string"
      },
      "message": {
        "type": "string"
      }
    }
  },
  "Source": {
    "type": "object",
    "required": [
      "id",
      "name",
      "type",
      "countryCode",
      "role",
      "sharePercent",
      "transactionCount"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "name": {
        "type": "string"
      },
      "type": {
        "type": "string"
      },
      "countryCode": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ]
      },
      "role": {
        "type": "string",
        "enum": [
          "owner",
          "sharer"
        ]
      },
      "sharePercent": {
        "type": "number"
      },
      "transactionCount": {
        "type": "integer"
      }
    }
  },
  "SourceList": {
    "type": "object",
    "required": [
      "sources"
    ],
    "properties": {
      "sources": {
        "type": "array",
        "items": {
          "$ref": "Source"
        }
      }
    }
  },
  "Transaction": {
    "type": "object",
    "required": [
      "id",
      "date",
      "type",
      "category",
      "amountPence",
      "description",
      "externalRef"
    ],
    "properties": {
      "id": {
        "type": "string"
      },
      "date": {
        "type": "string"
      },
      "type": {
        "type": "string",
        "enum": [
          "income",
          "expense"
        ]
      },
      "category": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ]
      },
      "amountPence": {
        "type": "integer"
      },
      "description": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ]
      },
      "externalRef": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ]
      }
    }
  },
  "TransactionList": {
    "type": "object",
    "required": [
      "transactions",
      "nextCursor"
    ],
    "properties": {
      "transactions": {
        "type": "array",
        "items": {
          "$ref": "Transaction"
        }
      },
      "nextCursor": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ]
      }
    }
  }
} as const;
