import { DIAGONAL, FULL_ROUNDS, PARTIAL_ROUNDS } from './roundConstants.js'

/** The Goldilocks prime. */
const PRIME = 2n ** 64n - 2n ** 32n + 1n
const WIDTH = 12
const RATE = 8
const HALF_OF_FULL_ROUNDS = 4
/** First row of the circulant matrix of four elements. */
const ROW = [2n, 3n, 1n, 1n]

type State = readonly bigint[]

const at = (list: State, index: number): bigint => list[index] ?? 0n

const sum = (list: State): bigint => list.reduce((total, one) => total + one, 0n)

const seventh = (one: bigint): bigint => {
  const square = (one * one) % PRIME
  const sixth = (square * square * square) % PRIME
  return (sixth * one) % PRIME
}

/** Mixes each four elements, and then the three fours. */
const mixFours = (state: State): State => {
  const mixed = state.map((_, place) => {
    const first = place - (place % 4)
    return sum(ROW.map((factor, offset) => factor * at(state, first + ((place + offset) % 4))))
  })
  const columns = [0, 1, 2, 3].map((column) => at(mixed, column) + at(mixed, column + 4) + at(mixed, column + 8))
  return mixed.map((one, place) => (one + at(columns, place % 4)) % PRIME)
}

const fullRounds = (state: State, first: number): State => {
  let mixed = state
  for (let round = first; round < first + HALF_OF_FULL_ROUNDS; round += 1) {
    mixed = mixFours(mixed.map((one, place) => seventh((one + at(FULL_ROUNDS, round * WIDTH + place)) % PRIME)))
  }
  return mixed
}

const partialRound = (state: State, constant: bigint): State => {
  const powered = [seventh((at(state, 0) + constant) % PRIME), ...state.slice(1)]
  const total = sum(powered)
  return powered.map((one, place) => (total + one * at(DIAGONAL, place)) % PRIME)
}

const permute = (state: State): State => {
  const begun = fullRounds(mixFours(state), 0)
  return fullRounds(PARTIAL_ROUNDS.reduce(partialRound, begun), HALF_OF_FULL_ROUNDS)
}

/** The Poseidon2 hash of field elements as the exchange makes it: five elements of 8 bytes, little-endian, in hex. */
export const poseidon2 = (elements: readonly bigint[]): string => {
  let state: State = Array.from({ length: WIDTH }, () => 0n)
  for (let read = 0; read < elements.length; read += RATE) {
    const taken = elements.slice(read, read + RATE)
    state = permute([...taken.map((one) => one % PRIME), ...state.slice(taken.length)])
  }
  const bytes = Buffer.alloc(40)
  for (let element = 0; element < 5; element += 1) bytes.writeBigUInt64LE(at(state, element), element * 8)
  return bytes.toString('hex')
}
