/** What a model asks of the way its text is cut, as in Python's text/tokenizer.py. */
export interface Tokenizer {
  /** The tokens of a text, as a reader sees them and as the model's vocabulary lists them. */
  words(text: string): string[];
  /** The text that these tokens were cut from. */
  joined(words: readonly string[]): string;
  /** The token that a word given by hand means: the first of its pieces, where it has several. */
  oneWord(text: string): string;
}
