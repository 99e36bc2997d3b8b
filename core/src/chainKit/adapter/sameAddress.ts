import type { AddressCheck, ChainAdapter } from '../../chain/chainAdapter.js'

/** Serves `sameAddress`: two texts name one account when their canonical forms are equal; no addresses, when the texts are. */
export const sameAddressBy =
  (validateAddress: (text: string) => AddressCheck): ChainAdapter['sameAddress'] =>
  (left, right) => {
    const [one, other] = [validateAddress(left), validateAddress(right)]
    return one.ok && other.ok ? one.canonical === other.canonical : left === right
  }
