import type { Clock } from '@causeway/core'
import type {
  ChainRegistry,
  DatabasePool,
  Deployment,
  KeyLimits,
  Keys,
  KeyUses,
  ManagementGate,
  Route,
  WalletSignatures,
} from '@causeway/core/plugin'
import { DashboardGate } from './dashboardGate.js'
import type { DashboardSettings } from './dashboardOptions.js'
import { DashboardSecrets } from './dashboardSecrets.js'
import { keyHistoryRoute } from './keyFacts/keyHistoryRoute.js'
import { keyLimitsRoute } from './keyFacts/keyLimitsRoute.js'
import { keyRoutes } from './keyRoutes.js'
import { LazyKeyStore } from './lazyKeyStore.js'
import { managementGate } from './managementGate.js'
import { operatorRoutes } from './operatorRoutes.js'
import { OperatorTokens } from './operatorTokens.js'
import { ContractQuestions } from './session/contractQuestions.js'
import { sessionRoutes } from './session/sessionRoutes.js'
import { SessionStore } from './session/sessionStore.js'
import { SignIn } from './session/signIn.js'
import { SignInAudit } from './session/signInAudit.js'
import { SignInNonces } from './session/signInNonces.js'
import { WalletStore } from './session/walletStore.js'

export interface DashboardDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly keys: Keys
  readonly deployment: Deployment
  readonly chains: ChainRegistry
  readonly signatures: WalletSignatures
  readonly settings: DashboardSettings
  readonly maxKeys: number
  /** Null while no plugin counts uses, or limits calls. */
  uses(): KeyUses | null
  limits(): KeyLimits | null
  /** Aborts when the plugin stops. */
  readonly signal: AbortSignal
}

/** A deployment without a chain whose wallets can sign in has such wallets all the same. */
const MAINNET = 1

const signInChainIds = (chains: ChainRegistry): readonly number[] => {
  const ids = chains
    .all()
    .flatMap(({ config, adapter }) => (adapter.capabilities.walletSignIn === 'eip-4361' ? [config.id] : []))
  return ids.length === 0 ? [MAINNET] : ids
}

/** The gate of the management API and its operations; made once, since plugins add operations behind the same gate. */
export interface Dashboard {
  readonly routes: readonly Route[]
  readonly management: ManagementGate
}

/** The management API under `/dashboard/api`. Throws without a master key. */
export const openDashboard = (deps: DashboardDeps): Dashboard => {
  const { pool, clock, deployment, chains, signatures, settings, uses, limits } = deps
  const secrets = new DashboardSecrets(deps.keys)
  const sessions = new SessionStore({ pool, clock, secrets, ...settings })
  const nonces = new SignInNonces({ secrets, clock })
  const wallets = new WalletStore({ pool, clock })
  const gate = new DashboardGate({ address: { publicUrl: settings.publicUrl, deployment }, sessions, secrets, clock })
  const chainIds = () => settings.chainIds ?? signInChainIds(chains)
  const signIn = new SignIn({
    ...{ pool, clock, nonces, wallets, sessions, signatures, chainIds },
    questions: new ContractQuestions({ clock }),
    operatorTokens: new OperatorTokens({ pool, clock, secrets }),
    audit: new SignInAudit({ pool, clock }),
    selfServe: settings.selfServe,
  })
  const keys = new LazyKeyStore(deps)
  const routes = [
    ...sessionRoutes({ pool, clock, gate, secrets, nonces, signIn, sessions, sessionMs: settings.sessionMs, chainIds }),
    ...keyRoutes({ gate, keys }),
    keyHistoryRoute({ pool, clock, gate, keys, uses }),
    keyLimitsRoute({ gate, keys, limits }),
    ...operatorRoutes({ pool, clock, gate, keys, wallets }),
  ]
  return { routes, management: managementGate({ gate, keys }) }
}
