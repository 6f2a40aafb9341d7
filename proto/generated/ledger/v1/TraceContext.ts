// Original file: proto/ledger.proto


export interface TraceContext {
  'traceparent'?: (string);
  'tracestate'?: (string);
}

export interface TraceContext__Output {
  'traceparent': (string);
  'tracestate': (string);
}
