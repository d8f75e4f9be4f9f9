/** Lets the browser save something as a file. */
export function downloadFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Lets the browser save a text as a file. */
export function downloadText(text: string, name: string, type = "text/plain"): void {
  downloadFile(new Blob([text], { type }), name);
}
