import type { TSchema } from '@sinclair/typebox'
import { HttpError } from '../httpError.js'
import { PreparedJson } from '../preparedJson.js'
import { isReply } from '../reply.js'
import { Content } from '../request/content.js'
import { validator } from '../request/validate.js'
import type { ErrorAnswer, HandlerResult, Route } from '../route.js'
import { type DocumentedAnswer, documentedAnswers } from './documentedAnswers.js'

/** Hold what a route answers against its description; each throws `HttpError` 500 that names the route and what is wrong. */
export interface AnswerChecks {
  result(result: HandlerResult): void
  error(answer: ErrorAnswer): void
}

type Check = (body: object) => void

const jsonCheck = (schema: TSchema): Check => {
  const check = validator(schema, 'response')
  return (body) => {
    if (Content.is(body)) throw new Error(`It is ${body.mediaType}, not JSON`)
    check(JSON.parse(PreparedJson.is(body) ? body.text : JSON.stringify(body)))
  }
}

const contentCheck =
  (mediaType: string): Check =>
  (body) => {
    if (!Content.is(body) || body.mediaType !== mediaType) throw new Error(`It is not ${mediaType}`)
  }

const checkOf = ({ schema, mediaType }: DocumentedAnswer): Check => {
  if (schema === undefined) return () => {}
  return mediaType === 'application/json' ? jsonCheck(schema) : contentCheck(mediaType)
}

/** Makes the checks that a route answers what it declares, errors and statuses included; for tests and the sandbox. */
export const answerChecks = (route: Route): AnswerChecks => {
  const checks = new Map([...documentedAnswers(route)].map(([status, answer]) => [status, checkOf(answer)]))
  const check = (status: number, body: object): void => {
    const operation = `${route.method} ${route.path}`
    const fits = checks.get(status)
    if (fits === undefined) throw new HttpError(500, `${operation} answers ${status}, which it does not declare`)
    try {
      fits(body)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new HttpError(500, `${operation} does not answer ${status} as declared: ${reason}`, { cause: error })
    }
  }
  return {
    result: (result) => (isReply(result) ? check(result.status, result.body) : check(200, result)),
    error: ({ status, body }) => check(status, body),
  }
}
