import { countProviders } from '@causeway/core/chain'
import { isLoopback, parseWholeUnits, type Role } from '@causeway/core/plugin'
import type { ConfigProblem } from './configProblem.js'
import { knownNetwork } from './knownNetworks.js'
import type { HostConfig } from './schema/schema.js'

/** What each kind of key is for (architecture.md 4). */
export const KEY_ROLES = {
  order: ['api'],
  master: ['api', 'webhooks'],
  previousMaster: ['api', 'webhooks'],
  allocator: ['solver'],
  hd: ['solver'],
  payout: ['solver'],
  origin: ['solver'],
  /** Of no host: whoever orders over the wallets holds it. */
  operator: [],
} as const satisfies Record<string, readonly Role[]>

type Rule = (config: HostConfig) => readonly ConfigProblem[]

const repeated = (values: readonly { readonly value: string; readonly path: string }[], remedy: string) => {
  const first = new Map<string, string>()
  const problems: ConfigProblem[] = []
  for (const { value, path } of values) {
    const before = first.get(value)
    if (before === undefined) first.set(value, path)
    else problems.push({ path, message: `is ${JSON.stringify(value)}, which ${before} has already.`, remedy })
  }
  return problems
}

const distinctChains: Rule = ({ chains }) => [
  ...repeated(
    chains.map(({ id }, at) => ({ value: String(id), path: `chains[${at}].id` })),
    'Give every chain its own id; list further endpoints of one chain under its "rpc".',
  ),
  ...repeated(
    chains.map(({ slug }, at) => ({ value: slug, path: `chains[${at}].slug` })),
    'Give every chain its own slug.',
  ),
]

const distinctCurrencies: Rule = ({ chains }) =>
  chains.flatMap(({ currencies }, chain) =>
    repeated(
      currencies.map(({ address }, at) => ({
        value: /^0x/i.test(address) ? address.toLowerCase() : address,
        path: `chains[${chain}].currencies[${at}].address`,
      })),
      'List each currency of a chain once.',
    ),
  )

const oneNetwork: Rule = ({ network, chains }) =>
  chains.flatMap(({ id, name }, at) => {
    const known = knownNetwork(id)
    if (known === undefined || known === network) return []
    return [
      {
        path: `chains[${at}].id`,
        message: `is ${id} (${name}), a chain of ${known}, in a deployment of ${network}.`,
        remedy: `Set "network" to "${known}", or run the two in deployments of their own.`,
      },
    ]
  })

const confirmationsInOrder: Rule = ({ chains }) =>
  chains.flatMap(({ confirmations: { fill, success, settle } }, at) =>
    settle >= Math.max(fill, success) || (settle === 0 && Math.max(fill, success) === 1)
      ? []
      : [
          {
            path: `chains[${at}].confirmations.settle`,
            message: `is ${settle}, less than "fill" (${fill}) or "success" (${success}).`,
            remedy: 'Money is final last: make it the largest of the three.',
          },
        ],
  )

const limitsOfCurrencies: Rule = ({ chains }) =>
  chains.flatMap(({ limits, currencies }, chain) =>
    limits.perHour.flatMap(({ currency, amount }, at) => {
      const path = `chains[${chain}].limits.perHour[${at}]`
      const known = currencies.find(({ address }) => address.toLowerCase() === currency.toLowerCase())
      if (known === undefined)
        return [
          {
            path,
            message: `names ${currency}, which is no currency of this chain.`,
            remedy: 'Name one of its "currencies".',
          },
        ]
      if (parseWholeUnits(amount, known.decimals) !== null) return []
      const message = `is ${amount}, finer than ${known.symbol} with its ${known.decimals} decimals.`
      return [{ path: `${path}.amount`, message, remedy: 'Leave digits out.' }]
    }),
  )

const balanceCurrencyKnown: Rule = ({ chains, balances }) => {
  if (balances === undefined) return []
  const chain = chains.find(({ id }) => id === balances.chainId)
  if (chain === undefined)
    return [
      {
        path: 'balances.chainId',
        message: `is ${balances.chainId}, which is no chain of this deployment.`,
        remedy: 'Name one of "chains".',
      },
    ]
  return chain.currencies.some(({ address }) => address.toLowerCase() === balances.currency.toLowerCase())
    ? []
    : [
        {
          path: 'balances.currency',
          message: `names ${balances.currency}, which is no currency of chain ${chain.id}.`,
          remedy: 'Name one of its "currencies".',
        },
      ]
}

const quorumReachable: Rule = ({ chains }) =>
  chains.flatMap(({ rpc, quorum = [] }, at) => {
    const providers = countProviders(rpc)
    return quorum.flatMap(({ agreeing }, tier) =>
      agreeing <= providers
        ? []
        : [
            {
              path: `chains[${at}].quorum[${tier}].agreeing`,
              message: `is ${agreeing}, but "rpc" has endpoints of ${providers} provider${providers === 1 ? '' : 's'}: no such deposit would ever be paid out.`,
              remedy: 'Add endpoints of other providers, or ask for fewer. Endpoints of one provider count once.',
            },
          ],
    )
  })

const knownReferences: Rule = ({ chains, prices }) => {
  const symbols = new Set(chains.flatMap(({ currencies }) => currencies.map(({ symbol }) => symbol)))
  return (prices.dex?.references ?? []).flatMap((symbol, at) =>
    symbols.has(symbol)
      ? []
      : [
          {
            path: `prices.dex.references[${at}]`,
            message: `is ${JSON.stringify(symbol)}, which is the symbol of no configured currency.`,
            remedy: 'Name currencies of the chains that other sources have prices of, for example "USDC".',
          },
        ],
  )
}

const freshPrices: Rule = ({ prices }) =>
  (['coingecko', 'pyth'] as const).flatMap((kind) =>
    prices[kind].flatMap(({ keepSeconds }, at) =>
      keepSeconds <= prices.maxAgeSeconds
        ? []
        : [
            {
              path: `prices.${kind}[${at}].keepSeconds`,
              message: `is ${keepSeconds}, longer than "prices.maxAgeSeconds" (${prices.maxAgeSeconds}).`,
              remedy: 'A price would be too old before the next one is fetched: make it less than that.',
            },
          ],
    ),
  )

const keysOfChains: Rule = ({ chains, keys }) =>
  (['payout', 'allocators', 'origin'] as const).flatMap((field) =>
    Object.keys(keys[field])
      .filter((chainId) => !chains.some(({ id }) => String(id) === chainId))
      .map((chainId) => ({
        path: `keys.${field}.${chainId}`,
        message: 'is for a chain that is not configured.',
        remedy: `Configured chains: ${chains.map(({ id }) => id).join(', ') || 'none'}.`,
      })),
  )

/** A process without a role, such as an operator's command, learns the address from the database. */
const solverKnown: Rule = ({ roles, chains, keys }) =>
  chains.flatMap(({ id, solver }, at) => {
    if (solver !== undefined || roles.length === 0) return []
    if (!roles.includes('solver')) {
      return [
        {
          path: `chains[${at}].solver`,
          message: 'is missing.',
          remedy:
            'Without the role "solver" this process has no payout key to derive the address from: state it. "causeway keys split" writes it; the host of the solver logs it when it starts.',
        },
      ]
    }
    return keys.payout[String(id)] === undefined
      ? [
          {
            path: `keys.payout.${id}`,
            message: 'is missing.',
            remedy: 'The solver needs a key to pay from on every chain: name a file or environment variable.',
          },
        ]
      : []
  })

const neededKeys: Rule = ({ roles, keys }) => {
  const missing = (name: 'order' | 'master', why: string): readonly ConfigProblem[] =>
    keys[name] === undefined && KEY_ROLES[name].some((role) => roles.includes(role))
      ? [{ path: `keys.${name}`, message: 'is missing.', remedy: why }]
      : []
  return [
    ...missing(
      'order',
      'The role "api" signs order ids with it: 64 hex digits, for example from `openssl rand -hex 32`.',
    ),
    ...missing(
      'master',
      'API keys are kept under it: 64 hex digits, for example from `openssl rand -hex 32`. Back it up.',
    ),
  ]
}

const walletOfChains: Rule = ({ chains, wallet }) =>
  wallet.allowed.flatMap(({ chainId, currencies = [], perDay = [] }, at) => {
    const path = `wallet.allowed[${at}]`
    const chain = chains.find(({ id }) => id === chainId)
    if (chain === undefined)
      return [
        {
          path: `${path}.chainId`,
          message: `is ${chainId}, which is not configured.`,
          remedy: `Configured chains: ${chains.map(({ id }) => id).join(', ') || 'none'}.`,
        },
      ]
    const known = (text: string) => chain.currencies.find(({ address }) => address.toLowerCase() === text.toLowerCase())
    const unknown = (text: string, place: string): ConfigProblem => ({
      path: place,
      message: `names ${text}, which is no currency of chain ${chainId}.`,
      remedy: 'Name one of its "currencies".',
    })
    return [
      ...currencies.flatMap((text, item) =>
        known(text) === undefined ? [unknown(text, `${path}.currencies[${item}]`)] : [],
      ),
      ...perDay.flatMap(({ currency, amount }, item) => {
        const place = `${path}.perDay[${item}]`
        const found = known(currency)
        if (found === undefined) return [unknown(currency, place)]
        if (parseWholeUnits(amount, found.decimals) !== null) return []
        const message = `is ${amount}, finer than ${found.symbol} with its ${found.decimals} decimals.`
        return [{ path: `${place}.amount`, message, remedy: 'Leave digits out.' }]
      }),
    ]
  })

/** The console would be open to whoever reaches the first listener. */
const consoleOnLoopback: Rule = ({ http }) =>
  !http.console.shared || isLoopback(http.host)
    ? []
    : [
        {
          path: 'http.console.shared',
          message: `is true, and "http.host" is ${http.host}, which others reach.`,
          remedy: 'Leave it out: the console then has a listener of its own on 127.0.0.1.',
        },
      ]

const RULES: readonly Rule[] = [
  consoleOnLoopback,
  distinctChains,
  distinctCurrencies,
  oneNetwork,
  confirmationsInOrder,
  limitsOfCurrencies,
  quorumReachable,
  balanceCurrencyKnown,
  knownReferences,
  freshPrices,
  keysOfChains,
  walletOfChains,
  solverKnown,
  neededKeys,
]

/** What no schema can say of a configuration (faults.md F109). */
export const ruleProblems = (config: HostConfig): readonly ConfigProblem[] => RULES.flatMap((rule) => rule(config))
