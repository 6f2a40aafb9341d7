/** The part of saxen that the readers use. read-excel-file has a copy of this parser. */
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
      listener: (text: string) => void,
    ): this;
    /** @throws Error for XML that is not well-formed */
    parse(xml: string): Error | null;
    write(xml: string): this;
    end(): Error | null;
  }
}
