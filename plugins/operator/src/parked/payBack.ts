import { destinationText, type Hex, readDestination, storedTx } from '@causeway/core'
import type { Destination } from '@causeway/core/chain'
import {
  type DepositPayout,
  judgeDeposit,
  type ParkedDeposit,
  planRefund,
  purposeOf,
  recheckDeposits,
  refundParked,
  refusalOf,
  witnessedHeight,
} from '@causeway/core/money-path'
import { ActionRefusedError, type Chain, recordAudit, whyOwnerless, withTransaction } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'

/** Where the money goes: as the operator says, else as the user did, else where it came from. */
const recipientOf = (chain: Chain, deposit: ParkedDeposit, to: string | null): Destination => {
  const { request } = deposit
  // The address of last resort is for the operator alone (wire.md K.4 2).
  const chosen = to ?? (request === null ? deposit.depositor : (request.refundTo ?? request.recoveryAddress))
  if (chosen === null) {
    throw new ActionRefusedError(
      `Nobody said where a refund goes; name an address with --to. The deposit came from ${deposit.depositor}.`,
    )
  }
  const check = readDestination(chain.adapter, chosen)
  if (!check.ok) throw new ActionRefusedError(`${chosen} is no address of ${chain.config.slug}: ${check.why}`)
  const why = whyOwnerless(chain.adapter, check.destination.address)
  if (why !== null) throw new ActionRefusedError(`${chosen} ${why}; name the address of an owner with --to.`)
  return check.destination
}

/**
 * The chain still shows the deposit, in a block that is beyond any reorg, and as many providers as its worth asks for show this very amount:
 * an operator believes no single node either (invariant 3).
 */
const requireSettled = async (deps: OperatorDeps, chain: Chain, deposit: ParkedDeposit): Promise<void> => {
  const tip = witnessedHeight(chain.adapter, (await chain.adapter.tip()).height)
  const depth = deposit.block === null ? 0n : tip - deposit.block.height + 1n
  const needed = BigInt(chain.config.confirmations.settle)
  if (depth < needed) {
    throw new ActionRefusedError(
      `Deposit ${deposit.id} is ${depth} blocks deep; it may leave the chain until it is ${needed}.`,
    )
  }
  const reference = { tx: storedTx(deposit), position: deposit.position, height: deposit.block?.height ?? null }
  const [evidence] = await chain.adapter.recheckDeposits([reference])
  if (evidence?.finding !== 'present') {
    throw new ActionRefusedError(
      `The chain does not show deposit ${deposit.id} any more (${evidence?.finding ?? 'missing'}).`,
    )
  }
  const money = evidence.deposit?.money
  if (money !== undefined && (money.amount !== deposit.amount || money.currency !== deposit.currency)) {
    await recheckDeposits({ pool: deps.pool, chain }, [reference], deps.clock.now())
    throw new ActionRefusedError(
      `The nodes of the chain show deposit ${deposit.id} with ${money.amount} units of ${money.currency}, not ${deposit.amount}. It was put right where nothing was paid of it; look at it again.`,
    )
  }
  const { txId, locator, position, chainId, currency, amount, block } = deposit
  const shown = { orderId: evidence.deposit?.orderId ?? deposit.orderId, height: block?.height ?? tip }
  const claim = { txId, position, chainId, currency, amount, ...shown, ...(locator === undefined ? {} : { locator }) }
  if ((await judgeDeposit(deps, claim)) !== 'trusted') {
    throw new ActionRefusedError(
      `Too few providers of ${chain.config.slug} show deposit ${deposit.id} with ${amount} units of ${currency}. Try again when they agree.`,
    )
  }
}

/**
 * Plans what goes back and checks all that can be checked before anything is written. Throws ActionRefusedError, or
 * ServiceError when the chain or a price cannot be had now.
 */
export const planPayBack = async (
  deps: OperatorDeps,
  deposit: ParkedDeposit,
  to: string | null,
): Promise<DepositPayout> => {
  const refusal = refusalOf(deposit)
  if (refusal !== null) throw new ActionRefusedError(refusal)
  const chain = deps.chains.get(deposit.chainId)
  const refundTo = recipientOf(chain, deposit, to)
  const plan = await deps.withChain(chain, async () => {
    await requireSettled(deps, chain, deposit)
    return planRefund(deps, {
      requestId: deposit.request?.id ?? null,
      // What carried no order id goes by its own id on the chain.
      orderId: deposit.orderId ?? deposit.onchainId,
      refundTo,
      deposit: { ...deposit, amount: deposit.parked },
      arrivalPaid: purposeOf(deposit) === 'excess',
    })
  })
  if ('payout' in plan) return { ...plan.payout, purpose: purposeOf(deposit) }
  throw new ActionRefusedError(
    `It cannot be paid to ${destinationText(refundTo)}: ${plan.details ?? plan.refundFailReason}. Nothing was changed; another address may do (--to).`,
  )
}

/** Writes the planned payout and its audit entry in one transaction. Throws ActionRefusedError when something changed meanwhile. */
export const payBack = async (
  deps: OperatorDeps,
  payout: DepositPayout,
  audit: { readonly actor: string; readonly action: string; readonly reason: string },
): Promise<void> => {
  const now = deps.clock.now()
  await withTransaction(deps.pool, async (client) => {
    await refundParked(client, payout, now)
    await recordAudit(client, {
      at: now,
      actor: audit.actor,
      action: audit.action,
      subject: payout.requestId === null ? `deposit ${payout.depositId}` : `request ${payout.requestId}`,
      details: {
        reason: audit.reason,
        deposit: payout.depositId,
        purpose: payout.purpose,
        to: destinationText(payout.recipient),
        chainId: payout.chainId,
        currency: payout.currency,
        amount: payout.amount.toString(),
        fees: payout.fees.toString(),
      },
    })
  })
}

/** Reads a request id. @throws ActionRefusedError */
export const readRequestId = (text: string): Hex => {
  const id = text.trim().toLowerCase()
  if (!/^0x[0-9a-f]{64}$/.test(id)) throw new ActionRefusedError('Give a request id: 0x and 64 hex digits.')
  // CAST: its form was just checked.
  return id as Hex
}
