/** Only a page from this machine or over https has a clipboard, whatever the types say; elsewhere nothing is copied. */
export async function copyText(text: string): Promise<void> {
  await (navigator.clipboard as Clipboard | undefined)?.writeText(text);
}
