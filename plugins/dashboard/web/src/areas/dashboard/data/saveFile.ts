import { ApiFailure } from '../../../api/callApi.js'
import { texts } from '../../../texts/texts.js'

const messageOf = async (response: Response): Promise<string> => {
  try {
    const said: unknown = Reflect.get(Object(await response.json()), 'message')
    if (typeof said === 'string') return said
  } catch {
    // An answer without words of its own.
  }
  return response.status === 429 ? texts.failures.tooMany : texts.failures.service
}

/** Fetches a file of this service and has the browser save it. Fetched first, so that a refusal is told here. @throws ApiFailure */
export const saveFile = async (path: string, name: string): Promise<{ readonly isCut: boolean }> => {
  const response = await fetch(path, { credentials: 'same-origin' })
  if (!response.ok) throw new ApiFailure(await messageOf(response), response.status, null)
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
  return { isCut: response.headers.get('x-truncated') === 'true' }
}
