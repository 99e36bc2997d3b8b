import { CLOCK, CURRENCIES } from '@causeway/core'
import {
  CHAINS,
  DEFAULT_KEY,
  DEPLOYMENT,
  definePlugin,
  LOGGER,
  PERMIT_HANDLERS,
  PermitSupport,
  type PluginContext,
  QUOTE_STORE,
  REQUESTS,
  type Route,
} from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { balancesRoute } from './balancesRoute.js'
import { killRoute } from './killRoute.js'
import { isFromHere } from './localCalls.js'
import { logRoute } from './logRoute.js'
import { Payer } from './payer.js'
import { payRoute } from './payRoute.js'
import { RunningSandbox } from './runningSandbox.js'
import { sandboxRoute } from './sandboxRoute.js'
import { troubleRoute } from './trouble/troubleRoute.js'

const options = Type.Object(
  { home: Type.String({ minLength: 1, description: 'Folder of the running sandbox that this host belongs to.' }) },
  { additionalProperties: false },
)

type Context = PluginContext<Static<typeof options>>

const openSandbox = ({ container, options: { home } }: Context): RunningSandbox =>
  new RunningSandbox({
    home,
    deployment: container.resolve(DEPLOYMENT),
    chains: container.resolve(CHAINS),
    clock: container.resolve(CLOCK),
  })

const makeRoutes = (context: Context): readonly Route[] => {
  const { container } = context
  const sandbox = openSandbox(context)
  const payer = new Payer()
  const log = container.resolve(LOGGER)
  const parts = {
    sandbox,
    payer,
    chains: container.resolve(CHAINS),
    currencies: container.resolve(CURRENCIES),
    clock: container.resolve(CLOCK),
    quotes: container.resolve(QUOTE_STORE),
    requests: container.resolve(REQUESTS),
    permits: new PermitSupport({
      handlers: container.isRegistered(PERMIT_HANDLERS, true) ? container.resolve(PERMIT_HANDLERS) : [],
      now: () => performance.now(),
    }),
  }
  return [
    sandboxRoute(parts),
    balancesRoute(parts),
    payRoute(parts),
    troubleRoute(parts),
    logRoute(sandbox),
    killRoute({ ...parts, flushLog: () => log.flush(), kill: () => process.kill(process.pid, 'SIGKILL') }),
  ]
}

/** What the page `/try` of a sandbox does with its accounts and its host. It is in the configuration of sandboxes alone, and starts nowhere else. */
export default definePlugin({
  name: '@causeway/sandbox',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, DEPLOYMENT, CLOCK, LOGGER, QUOTE_STORE, REQUESTS],
  provides: [DEFAULT_KEY],
  options,
  register: (context) =>
    context.provide(DEFAULT_KEY, () => {
      const sandbox = openSandbox(context)
      return { keyOf: (call) => (isFromHere(call) ? sandbox.demoKey() : undefined) }
    }),
  routes: makeRoutes,
  start: async (context) => openSandbox(context).requireOwn(),
})
