import { PreparedJson } from './preparedJson.js'
import { isReply } from './reply.js'
import type { HandlerResult, Route } from './route.js'
import { validator } from './validate.js'

/**
 * Makes the check that a route answers what it declares, for tests and the sandbox: throws `Error` (a 500) when a body
 * does not fit the schema of its status. A status without a schema is not checked.
 */
export const resultCheck = (route: Route): ((result: HandlerResult) => void) => {
  const checks = new Map(
    Object.entries(route.responses).map(([status, schema]) => [status, validator(schema, 'response')]),
  )
  return (result) => {
    const { status, body } = isReply(result) ? result : { status: 200, body: result }
    const check = checks.get(String(status))
    if (!check) return
    try {
      check(JSON.parse(PreparedJson.is(body) ? body.text : JSON.stringify(body)))
    } catch (error) {
      throw new Error(`${route.method} ${route.path} does not answer as declared`, { cause: error })
    }
  }
}
