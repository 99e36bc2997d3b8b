/** An action that the exchange refuses, with its text. */
export class Refusal extends Error {}

/** @throws Refusal with the text */
export const refuse = (text: string): never => {
  throw new Refusal(text)
}
