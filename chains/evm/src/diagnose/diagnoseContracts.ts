import type { Hex } from '@causeway/core'
import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { diagnoseNamedAllocator, type JsonRpcEndpoint, type RpcOutcome } from '@causeway/core/chain-kit'
import { toFunctionSelector } from 'viem/utils'
import { receiverImplementationOf } from '../address/depositAddress.js'
import { isReceiverOf } from '../setup/contractAddresses.js'
import { diagnoseAllowances } from './diagnoseAllowances.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'
import { diagnosePermits } from './diagnosePermits.js'

const ALLOCATOR = toFunctionSelector('allocator()')
const RECEIVER_IMPLEMENTATION = toFunctionSelector('receiverImplementation()')

const text = (outcome: RpcOutcome | undefined): string => (outcome?.ok === true ? String(outcome.result) : '0x')

/**
 * The contracts are where they should be, the depository obeys the operator's own allocator, and the routers may take what the
 * solver is to pay through them.
 */
export const diagnoseContracts = async (
  endpoint: JsonRpcEndpoint,
  { config, settings }: Pick<DiagnoseDeps, 'config' | 'settings'>,
  { allocator }: DiagnosisRequest,
): Promise<readonly Diagnosis[]> => {
  const { depository, fillRouter, depositAddressFactory: factory, swap, permits } = settings
  const code = (address: string) => ({ method: 'eth_getCode', params: [address, 'latest'] })
  const others = [
    ...(factory === null
      ? []
      : [{ name: 'deposit address factory', address: factory, option: 'depositAddressFactory' }]),
    ...(permits === null ? [] : [{ name: 'permit router', address: permits.router, option: 'permitRouter' }]),
    ...(fillRouter === null ? [] : [{ name: 'fill router', address: fillRouter, option: 'fillRouter' }]),
    ...(swap === null
      ? []
      : [
          { name: 'swap router', address: swap.router, option: 'swap.router' },
          { name: 'wrapped native currency', address: swap.wrappedNative, option: 'swap.wrappedNative' },
        ]),
  ]
  const [depositoryCode, answer, ...codes] = await endpoint.batch([
    code(depository),
    { method: 'eth_call', params: [{ to: depository, data: ALLOCATOR }, 'latest'] },
    ...others.map(({ address }) => code(address)),
  ])
  const found = [present(`${config.slug} depository`, text(depositoryCode), 'depository')]
  for (const [at, { name, option }] of others.entries()) {
    found.push(present(`${config.slug} ${name}`, text(codes[at]), option))
  }
  if (factory !== null && !found.some(({ state, subject }) => state === 'fault' && subject.endsWith('factory')))
    found.push(await receivers(endpoint, `${config.slug} deposit addresses`, { factory, depository }))
  if (permits !== null && !found.some(({ state, subject }) => state === 'fault' && subject.endsWith('permit router')))
    found.push(...(await diagnosePermits(endpoint, config.slug, { permits, depository })))
  found.push(...(await diagnoseAllowances(endpoint, { config, settings })))
  if (text(depositoryCode) !== '0x') found.push(obeys(`${config.slug} depository`, text(answer), allocator))
  return found
}

const present = (subject: string, code: string, option: string): Diagnosis =>
  code === '0x'
    ? {
        check: 'contract',
        subject,
        state: 'fault',
        message: 'there is no contract at the configured address',
        remedy: `Correct "${option}" in the chain's options, or deploy it.`,
      }
    : { check: 'contract', subject, state: 'ok', message: 'is deployed' }

/** What a payment to a deposit address ends in: the code that the factory's receivers share, and the depository in it. */
const receivers = async (
  endpoint: JsonRpcEndpoint,
  subject: string,
  { factory, depository }: { readonly factory: string; readonly depository: string },
): Promise<Diagnosis> => {
  const implementation = receiverImplementationOf(factory)
  const [answer, code] = await endpoint.batch([
    { method: 'eth_call', params: [{ to: factory, data: RECEIVER_IMPLEMENTATION }, 'latest'] },
    { method: 'eth_getCode', params: [implementation, 'latest'] },
  ])
  const named = `0x${text(answer).slice(26, 66)}`.toLowerCase()
  // CAST: an answered eth_getCode is hex text.
  const right = named === implementation && isReceiverOf(text(code) as Hex, factory, depository)
  if (right) return { check: 'contract', subject, state: 'ok', message: 'are swept into the depository' }
  return {
    check: 'contract',
    subject,
    state: 'fault',
    message:
      'are not swept into the depository of this chain: the factory is another contract, or belongs to another depository',
    remedy: 'Correct "depositAddressFactory" in the chain\'s options, or leave it out, before anybody pays there.',
  }
}

const obeys = (subject: string, answer: string, allocator: string | null): Diagnosis => {
  if (answer.length < 66) {
    const message = 'does not name its allocator: it is another contract'
    const remedy = 'Correct "depository" in the chain\'s options.'
    return { check: 'allocator', subject, state: 'fault', message, remedy }
  }
  return diagnoseNamedAllocator(subject, `0x${answer.slice(26, 66)}`, allocator?.toLowerCase() ?? null)
}
