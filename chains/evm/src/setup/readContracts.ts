import { depositoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { ContractFunds, ContractStep } from '@causeway/core/chain'
import { type JsonRpcClient, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { encodeFunctionData, getAddress, keccak256 } from 'viem/utils'
import { receiverImplementationOf } from '../depositAddress/depositAddress.js'
import { permitReceiverOf } from '../payout/contracts/permitRouter.js'
import { encodeApprove } from '../payout/contracts/staticCall.js'
import { allowanceCall, firstWord } from '../read/balances.js'
import { quantity } from '../rpc/wire.js'
import {
  FACTORY,
  FACTORY_CODE,
  FACTORY_COST,
  FACTORY_SENDER,
  factoryCall,
  isFormerReceiverOf,
  isPermitReceiverOf,
  isReceiverOf,
  judgeCode,
} from './contractAddresses.js'
import { type CallOfStep, type ContractWishes, FACTORY_STEP, type Fees, type WishedContract } from './contractWishes.js'

/** What a chain holds of the wishes, what is lacking, and what that costs. */
export interface ContractReading {
  readonly steps: readonly ContractStep[]
  readonly calls: ReadonlyMap<string, CallOfStep>
  readonly funds: readonly ContractFunds[]
}

const ALL = 2n ** 256n - 1n
/** Gas of an approval that no node estimates, and of the proxy around a deployment. */
const APPROVE_GAS = 100_000n
const PROXY_GAS = 60_000n

/** Contracts that take what they pay of the payout account. */
const PAYING: ReadonlySet<string> = new Set(['fill router', 'swap router'])

interface Draft {
  readonly step: Omit<ContractStep, 'cost'>
  readonly call?: Omit<CallOfStep, 'gas'> & { readonly estimate: RpcCall; readonly extraGas: bigint }
}

/** @throws ServiceError when no node answers */
export const readContracts = async (
  rpc: JsonRpcClient,
  wishes: ContractWishes,
  fees: Fees,
): Promise<ContractReading> => {
  const drafts = [
    ...(await factoryDrafts(rpc, wishes)),
    ...(await contractDrafts(rpc, wishes)),
    ...(await allowanceDrafts(rpc, wishes)),
  ]
  const steps: ContractStep[] = []
  const calls = new Map<string, CallOfStep>()
  for (const { step, call } of drafts) {
    if (call === undefined || step.state !== 'needed') {
      steps.push({ ...step, cost: 0n })
      continue
    }
    const gas = await estimate(rpc, call)
    calls.set(step.id, { to: call.to, data: call.data, value: call.value, gas })
    steps.push({ ...step, cost: gas * fees.max + call.value })
  }
  return { steps, calls, funds: await readFunds(rpc, steps, wishes) }
}

const estimate = async (
  rpc: JsonRpcClient,
  { estimate: question, extraGas }: NonNullable<Draft['call']>,
): Promise<bigint> => {
  const [answer] = await rpc.batch([question])
  return answer?.ok === true ? (BigInt(String(answer.result)) * 12n) / 10n + extraGas : APPROVE_GAS + extraGas
}

const code = (address: string): RpcCall => ({ method: 'eth_getCode', params: [address, 'latest'] })

const factoryDrafts = async (rpc: JsonRpcClient, wishes: ContractWishes): Promise<readonly Draft[]> => {
  const [there, balance] = await rpc.results([
    code(FACTORY),
    { method: 'eth_getBalance', params: [FACTORY_SENDER, 'latest'] },
  ])
  const title = `${wishes.slug}: deterministic deployment proxy`
  const shared = { id: FACTORY_STEP, title, payer: null }
  if (there === FACTORY_CODE) return [{ step: { ...shared, state: 'done', detail: `is at ${getAddress(FACTORY)}` } }]
  if (there !== '0x')
    return [{ step: { ...shared, state: 'fault', detail: `something else is at ${getAddress(FACTORY)}` } }]
  const lacking = FACTORY_COST - BigInt(String(balance))
  const payment: Draft[] = []
  if (lacking > 0n) {
    // Of no value: its gas is the same, and the deployer may hold too little yet. Not 21,000 on every chain.
    const transfer = { from: wishes.deployer ?? FACTORY_SENDER, to: FACTORY_SENDER, value: quantity(0n) }
    payment.push({
      step: {
        id: `factory funds:${lacking}`,
        title: `${title}, its fee`,
        state: 'needed',
        detail: `pay the sender of its presigned transaction, ${getAddress(FACTORY_SENDER)}`,
        payer: 'deployer',
      },
      call: {
        to: FACTORY_SENDER,
        data: '0x',
        value: lacking,
        estimate: { method: 'eth_estimateGas', params: [transfer] },
        extraGas: 0n,
      },
    })
  }
  return [...payment, { step: { ...shared, state: 'needed', detail: 'send its presigned transaction' } }]
}

const contractDrafts = async (rpc: JsonRpcClient, wishes: ContractWishes): Promise<readonly Draft[]> => {
  const codes = await rpc.results(wishes.contracts.map(({ address }) => code(address)))
  const drafts: Draft[] = []
  for (const [at, wish] of wishes.contracts.entries()) {
    const found = String(codes[at]) as Hex
    drafts.push(contractDraft(wish, found, wishes))
    if (wish.contract.name === 'depository' && found !== '0x') drafts.push(...(await obedience(rpc, wish, wishes)))
    if (wish.contract.name === 'deposit address factory' && found !== '0x')
      drafts.push(await receiverDraft(rpc, RECEIVERS.addresses, wish, wishes))
    if (wish.contract.name === 'permit router' && found !== '0x')
      drafts.push(await receiverDraft(rpc, RECEIVERS.permits, wish, wishes))
  }
  const former = wishes.options.formerDepositAddressFactories
  for (const factory of Array.isArray(former) ? former.map((each) => String(each).toLowerCase()) : [])
    drafts.push(await receiverDraft(rpc, RECEIVERS.formerAddresses, { address: factory }, wishes))
  return drafts
}

/** Details by the verdict on code that is there. */
const CODE_TEXTS: Readonly<Record<'own' | 'accepted' | 'other', (address: string, hash: string) => string>> = {
  own: (address) => `is at ${address}`,
  accepted: (address) => `has code at ${address} that the configuration accepts`,
  other: (address, hash) =>
    `the code at ${address} is not that of this release: correct the option, or add its code hash ${hash} to "acceptedCodeHashes"`,
}

const contractDraft = (wish: WishedContract, found: Hex, { slug, deployer, acceptedCode }: ContractWishes): Draft => {
  const { contract, address, adopted } = wish
  const [id, title] = [`${contract.name}:${address}`, `${slug}: ${contract.name}`]
  const shown = getAddress(address)
  const verdict = judgeCode(found, wish, acceptedCode)
  if (verdict !== 'absent') {
    const detail = CODE_TEXTS[verdict](shown, keccak256(found))
    return { step: { id, title, state: verdict === 'other' ? 'fault' : 'done', detail, payer: null } }
  }
  if (adopted) {
    const detail = `the configuration names ${shown}, where nothing is; ours would be at ${getAddress(contract.address)}: leave the option out, or correct owner and allocator`
    return { step: { id, title, state: 'fault', detail, payer: null } }
  }
  const creation = { from: deployer ?? FACTORY_SENDER, data: contract.creation }
  return {
    step: { id, title, state: 'needed', detail: `deploy to ${shown}`, payer: 'deployer' },
    call: {
      to: FACTORY,
      data: factoryCall(contract),
      value: 0n,
      estimate: { method: 'eth_estimateGas', params: [creation] },
      extraGas: PROXY_GAS,
    },
  }
}

/** The code that the receivers of a contract share, which its constructor made. */
interface Receivers {
  readonly id: string
  readonly title: string
  readonly option: string
  implementation(of: string): string
  isGenuine(code: Hex, of: string, depository: string): boolean
}

const RECEIVERS: Readonly<Record<'addresses' | 'formerAddresses' | 'permits', Receivers>> = {
  formerAddresses: {
    id: 'former receivers',
    title: 'receivers of a former deposit address factory',
    option: 'formerDepositAddressFactories',
    implementation: receiverImplementationOf,
    isGenuine: (code, of, depository) => isFormerReceiverOf(code, of, depository) || isReceiverOf(code, of, depository),
  },
  addresses: {
    id: 'receivers',
    title: 'receivers of the deposit address factory',
    option: 'depositAddressFactory',
    implementation: receiverImplementationOf,
    isGenuine: isReceiverOf,
  },
  permits: {
    id: 'permit receivers',
    title: 'receivers of the permit router',
    option: 'permitRouter',
    implementation: permitReceiverOf,
    isGenuine: isPermitReceiverOf,
  },
}

/** What the receivers of a contract that is there pay: its address alone does not tell where the configuration names it. */
const receiverDraft = async (
  rpc: JsonRpcClient,
  receivers: Receivers,
  { address }: Pick<WishedContract, 'address'>,
  { slug, contracts }: ContractWishes,
): Promise<Draft> => {
  const depository = contracts.find(({ contract }) => contract.name === 'depository')?.address ?? ''
  const found = await rpc.call<Hex>('eth_getCode', [receivers.implementation(address), 'latest'])
  const right = receivers.isGenuine(found, address, depository)
  const detail = right
    ? `pay ${getAddress(depository)}`
    : `do not pay ${getAddress(depository)}: leave "${receivers.option}" out, or correct it`
  const title = `${slug}: ${receivers.title}`
  return { step: { id: `${receivers.id}:${address}`, title, state: right ? 'done' : 'fault', detail, payer: null } }
}

/** Owner and allocator of a depository that is there. */
const obedience = async (
  rpc: JsonRpcClient,
  { address }: WishedContract,
  wishes: ContractWishes,
): Promise<readonly Draft[]> => {
  const ask = (functionName: 'owner' | 'allocator'): RpcCall => ({
    method: 'eth_call',
    params: [{ to: address, data: encodeFunctionData({ abi: depositoryAbi, functionName }) }, 'latest'],
  })
  const [owner, allocator] = (await rpc.batch([ask('owner'), ask('allocator')])).map(addressIn)
  return [
    ownership(owner ?? null, wishes),
    allocation({ address, owner: owner ?? null, allocator: allocator ?? null }, wishes),
  ]
}

const addressIn = (outcome: RpcOutcome | undefined): string | null => {
  const answer = outcome?.ok === true ? String(outcome.result) : '0x'
  return answer.length < 66 ? null : `0x${answer.slice(26, 66)}`.toLowerCase()
}

const ownership = (owner: string | null, wishes: ContractWishes): Draft => {
  const shared = { id: 'owner', title: `${wishes.slug}: owner of the depository`, payer: null }
  if (owner === null) return { step: { ...shared, state: 'fault', detail: 'it names none' } }
  if (wishes.owner === null || wishes.owner === owner)
    return { step: { ...shared, state: wishes.owner === null ? 'unknown' : 'done', detail: `is ${getAddress(owner)}` } }
  const detail = `is ${getAddress(owner)}, not ${getAddress(wishes.owner)}: whoever owns it may name another allocator and take all deposits`
  return { step: { ...shared, state: 'fault', detail } }
}

const allocation = (
  found: { readonly address: string; readonly owner: string | null; readonly allocator: string | null },
  wishes: ContractWishes,
): Draft => {
  const { address, owner, allocator } = found
  const title = `${wishes.slug}: allocator of the depository`
  const [id, shared] = [`allocator:${address}:${wishes.allocator}`, { title, payer: null }]
  if (allocator === null) return { step: { ...shared, id, state: 'fault', detail: 'it names none' } }
  if (wishes.allocator === null)
    return { step: { ...shared, id, state: 'unknown', detail: `is ${getAddress(allocator)}; the key is not here` } }
  if (wishes.allocator === allocator)
    return { step: { ...shared, id, state: 'done', detail: `is ${getAddress(allocator)}` } }
  const wanted = getAddress(wishes.allocator)
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'setAllocator', args: [wanted] })
  if (owner === null || owner !== wishes.deployer) {
    const call = `to ${getAddress(address)}, value 0, data ${data}`
    const detail = `is ${getAddress(allocator)}, not ${wanted}: its owner must call setAllocator(${wanted}). Transaction to sign: ${call}`
    return { step: { ...shared, id, state: 'fault', detail } }
  }
  const question: RpcCall = { method: 'eth_estimateGas', params: [{ from: owner, to: address, data }] }
  return {
    step: { id, title, state: 'needed', detail: `change it to ${wanted}`, payer: 'deployer' },
    call: { to: address, data, value: 0n, estimate: question, extraGas: 0n },
  }
}

const allowanceDrafts = async (rpc: JsonRpcClient, wishes: ContractWishes): Promise<readonly Draft[]> => {
  const { payout, tokens, slug } = wishes
  const routers = wishes.contracts.filter(({ contract }) => PAYING.has(contract.name))
  const pairs = tokens.flatMap((token) => routers.map((router) => ({ token, router })))
  if (pairs.length === 0) return []
  const titleOf = (symbol: string, router: string) => `${slug}: ${symbol} of the payout account to the ${router}`
  if (payout === null) {
    const detail = 'the payout account is not known here: name "solver" of the chain, or run this where its key is'
    return pairs.map(({ token, router }) => ({
      step: {
        id: `allowance:${token.address}:${router.address}`,
        title: titleOf(token.symbol, router.contract.name),
        state: 'unknown' as const,
        detail,
        payer: null,
      },
    }))
  }
  const answers = await rpc.batch(
    pairs.map(({ token, router }) => allowanceCall(payout.address, token.address, router.address)),
  )
  return pairs.flatMap(({ token, router }, at): readonly Draft[] => {
    const allowed = firstWord(resultOf<string>(answers[at], 'eth_call'))
    const title = titleOf(token.symbol, router.contract.name)
    const idOf = (amount: bigint) =>
      `allowance:${payout.address}:${token.address}:${router.address}:${amount === 0n ? 'none' : 'all'}`
    // Half of all is more than there is: it stays given for good.
    if (allowed >= ALL / 2n) return [{ step: { id: idOf(ALL), title, state: 'done', detail: 'is given', payer: null } }]
    if (!payout.canSign) {
      const detail = `is lacking: causeway wallet approve gives it where the payout key is`
      return [{ step: { id: idOf(ALL), title, state: 'unknown', detail, payer: null } }]
    }
    const give = (amount: bigint, detail: string): Draft => {
      const data = encodeApprove(router.address, amount)
      const question: RpcCall = {
        method: 'eth_estimateGas',
        params: [{ from: payout.address, to: token.address, data, value: quantity(0n) }],
      }
      return {
        step: { id: idOf(amount), title, state: 'needed', detail, payer: 'payout' },
        call: { to: token.address, data, value: 0n, estimate: question, extraGas: 0n },
      }
    }
    const all = give(ALL, `allow ${getAddress(router.address)} to take what it pays through it`)
    return token.resets && allowed > 0n ? [give(0n, 'take the old one back first'), all] : [all]
  })
}

const readFunds = async (
  rpc: JsonRpcClient,
  steps: readonly ContractStep[],
  { deployer, payout }: ContractWishes,
): Promise<readonly ContractFunds[]> => {
  const accounts = [
    { payer: 'deployer' as const, address: deployer },
    { payer: 'payout' as const, address: payout?.address ?? null },
  ]
  const funds: ContractFunds[] = []
  for (const { payer, address } of accounts) {
    const needed = steps.filter((step) => step.payer === payer).reduce((sum, { cost }) => sum + cost, 0n)
    if (address === null || needed === 0n) continue
    const held = BigInt(await rpc.call<Hex>('eth_getBalance', [address, 'latest']))
    funds.push({ payer, address: getAddress(address), needed, held })
  }
  return funds
}
