/** A word in running text: signs alone are put in quotes, so that a comma is seen to be a word here. */
export const quoted = (word: string): string => (/[\p{L}\p{N}]/u.test(word) ? word : `“${word}”`);
