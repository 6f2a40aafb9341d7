/** The part of saxen that the reader uses. read-excel-file has a copy of this parser. */
declare module 'saxen' {
  type Attributes = () => Record<string, string> | false;
  type Decode = (text: string) => string;

  export class Parser {
    on(
      event: 'openTag',
      listener: (name: string, attributes: Attributes, decode: Decode, isSelfClosing: boolean) => void,
    ): this;
    on(
      event: 'closeTag' | 'text' | 'cdata' | 'comment' | 'attention' | 'question',
      listener: () => void,
    ): this;
    write(xml: string): this;
    end(): Error | null;
  }
}
