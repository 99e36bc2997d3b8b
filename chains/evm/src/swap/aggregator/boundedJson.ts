/** Body of an answer as JSON. Throws Error when it is larger than `maxBytes` or no JSON. */
export const readBoundedJson = async (response: Response, maxBytes: number): Promise<unknown> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error('The answer is too large.')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
