import {
  defineRoute,
  HttpError,
  MANAGEMENT_REFUSALS,
  MANAGEMENT_ROUTE,
  type ManagementGate,
  MessageSchema,
  type RequestContext,
  type Route,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { MOST_VIEWS, type SavedView, type ViewStore } from './viewStore.js'

export interface ViewRoutesDeps {
  readonly gate: ManagementGate
  readonly views: ViewStore
}

const PATH = '/dashboard/api/views'
const MOST_CHARACTERS = 100
/** As long as the longest filters that a search takes, and the rest beside them. */
const MOST_QUERY = 20_000
/** Characters nobody sees: controls, marks of direction, halves of pairs, unassigned ones, separators of lines. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u
/** Sessions that a token of the command line opened have no wallet; they share their views. */
const WITHOUT_WALLET = 'operators'

const ViewBody = Type.Object({
  name: Type.String({ maxLength: 400, description: `1 to ${MOST_CHARACTERS} visible characters.` }),
  page: Type.Literal('requests', { description: 'What it is a view of.' }),
  query: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    maxProperties: 60,
    description: `Values of the filters of the page, by name; ${MOST_QUERY} characters at most.`,
  }),
})

const ViewAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    page: Type.String(),
    query: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    createdAt: Type.String({ description: 'ISO 8601.' }),
    updatedAt: Type.String({ description: 'ISO 8601.' }),
  },
  { title: 'SavedView' },
)

const ViewParams = Type.Object({
  id: Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', maxLength: 36 }),
})

const shown = ({ createdAt, updatedAt, ...view }: SavedView): Static<typeof ViewAnswer> => ({
  ...view,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

const ownerOf = ({ gate }: ViewRoutesDeps, ctx: RequestContext): string => gate.signedIn(ctx).wallet ?? WITHOUT_WALLET

/** As it is kept. Throws HttpError 400. */
const checked = ({ name, page, query }: Static<typeof ViewBody>) => {
  const trimmed = name.trim()
  if (trimmed === '' || UNSEEN.test(trimmed) || [...trimmed].length > MOST_CHARACTERS) {
    throw new HttpError(400, `body.name must have 1 to ${MOST_CHARACTERS} characters, all of them visible`)
  }
  if (JSON.stringify(query).length > MOST_QUERY) {
    throw new HttpError(400, `body.query must have at most ${MOST_QUERY} characters`)
  }
  return { name: trimmed, page, query }
}

const noView = () => new HttpError(404, 'There is no such view')

const listRoute = (deps: ViewRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'GET',
    path: PATH,
    summary: 'Saved views of whoever is signed in, by name',
    responses: { 200: Type.Object({ views: Type.Array(ViewAnswer) }), ...MANAGEMENT_REFUSALS },
    authorize: deps.gate.member,
    handler: async ({ ctx }) => ({ views: (await deps.views.list(ownerOf(deps, ctx))).map(shown) }),
  })

const addRoute = (deps: ViewRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'POST',
    path: PATH,
    summary: 'Save a view',
    description: `At most ${MOST_VIEWS} of a member.`,
    changes: true,
    body: ViewBody,
    responses: { 200: ViewAnswer, 400: MessageSchema, ...MANAGEMENT_REFUSALS, 409: MessageSchema },
    authorize: deps.gate.member,
    handler: async ({ body, ctx }) => {
      const view = await deps.views.add(ownerOf(deps, ctx), checked(body))
      if (view === null)
        throw new HttpError(409, `You have ${MOST_VIEWS} views, the most there may be; remove one first`)
      return shown(view)
    },
  })

const changeRoute = (deps: ViewRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'PUT',
    path: `${PATH}/:id`,
    summary: 'Change a saved view',
    params: ViewParams,
    body: ViewBody,
    responses: { 200: ViewAnswer, 400: MessageSchema, ...MANAGEMENT_REFUSALS, 404: MessageSchema },
    authorize: deps.gate.member,
    handler: async ({ params, body, ctx }) => {
      const view = await deps.views.change(ownerOf(deps, ctx), params.id, checked(body))
      if (view === null) throw noView()
      return shown(view)
    },
  })

const removeRoute = (deps: ViewRoutesDeps): Route =>
  defineRoute({
    ...MANAGEMENT_ROUTE,
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Remove a saved view',
    params: ViewParams,
    responses: { 200: Type.Object({ id: Type.String() }), ...MANAGEMENT_REFUSALS, 404: MessageSchema },
    authorize: deps.gate.member,
    handler: async ({ params, ctx }) => {
      if (!(await deps.views.remove(ownerOf(deps, ctx), params.id))) throw noView()
      return { id: params.id.toLowerCase() }
    },
  })

/** Views that a member saves: listed, made, changed, removed. */
export const viewRoutes = (deps: ViewRoutesDeps): readonly Route[] => [
  listRoute(deps),
  addRoute(deps),
  changeRoute(deps),
  removeRoute(deps),
]
