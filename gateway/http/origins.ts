/** The variable CORS_ORIGINS. Apart from cors.ts, because the container's health check reads the configuration without Elysia. */
import { makeValidator } from 'envalid';
import { isHost } from './host.ts';

/** Validates a list of origins as browsers send them, separated by commas. */
export const origins = makeValidator<string[]>((text) => {
  const list = text.split(',').map((each) => each.trim());
  const wrong = list.findIndex((each) => !isOrigin(each));
  if (wrong !== -1) {
    throw new TypeError(
      `expected origins as browsers send them, such as https://books.example, with commas between them; number ${wrong + 1} is none`,
    );
  }
  return list;
});

/** `scheme://host` or `scheme://host:port` in lower case, without the default port of http and https. */
function isOrigin(text: string): boolean {
  const [, scheme, host = ''] = /^([a-z][a-z\d+.-]*):\/\/([^A-Z]+)$/.exec(text) ?? [];
  if (scheme === undefined || !isHost(host)) return false;
  return !/^https?$/.test(scheme) || URL.parse(text)?.origin === text;
}
