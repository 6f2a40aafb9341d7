/** Asks before payments are stored a second time. @param found the payments that the books have, as a sentence */
export const confirmSecondStore = (found: string): boolean =>
  confirm(`${found} If they are the same payments, your figures count them twice. Import them?`);
