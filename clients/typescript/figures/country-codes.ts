/** HMRC's codes of countries: the three letters of ISO 3166-1, and XKX for Kosovo. HMRC takes no code of some countries. */

/** By the first letter, which codes of two and of three letters share. `fg` is AF and AFG, `Dnd` is AD and AND: the page counts its bytes. */
const CODES =
  'AfgialbrgsmuszeDndEreGtgMrmOgoTutWbw BelfagrhrmuolratnwaAihBrbDgdIdiJenNrnQesShsYlrZlz ' +
  'CanckheivmrolriubxrypzeDodFafGogKokLhlNhnVpvWuw DeujimaomzaKnk EcugyrispthEst FinjiraKlkMsmOro ' +
  'GabeogyhaibmbrctmumDrdFufLrlNinPlpQnqWnbYuy Hkgndrvtiun IdnmnndrnsltaErlLsrQrq JeyorpnMam ' +
  'KengzhmirnawtRorZaz LaobncaiekasotuuxvaRbrYby MarcodahlkdlimrngrtsruswiysEneGdgOacPnpQtqTltVdvXexZoz ' +
  'NamclerfkgaicldorplruzlUiu Omn PanerhlriFyfGngKakLolNcnTrtWlwYry Qat Reuouuswa ' +
  'SaudngphnjmlemromsdtpxmyrBlbCycEweIvnKvkNenRurVlvZwz TcagohajkkllsontownzaDcdMkmNunRurVuv UgasazbAkrYry ' +
  'Vatctengbirnmut WsmFlf Xkx Yem Zafmbwe';

const BY_TWO = new Map(Object.entries({ KM: 'COM', KP: 'PRK', KY: 'CYM', PM: 'SPM', RS: 'SRB', YT: 'MYT' }));
for (const [first = '', ...others] of CODES.split(' '))
  for (const code of others.join('').match(/[A-Z]?../g) ?? [])
    BY_TWO.set(first + code.charAt(0).toUpperCase(), first + code.slice(-2).toUpperCase());

/** @param code of ISO 3166-1 with two letters. @returns undefined if HMRC takes none */
export const countryCodeOf = (code: string): string | undefined => BY_TWO.get(code);
