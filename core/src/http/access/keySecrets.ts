import { token } from '../../container/tokens.js'

/** The texts of API keys, which are also the secrets their webhooks are signed with (wire.md 5.2). */
export interface KeySecrets {
  /**
   * Keys by id; those that are revoked or unknown are left out, one that cannot be opened is null. A revocation counts within
   * five seconds (wire.md H.1).
   */
  secretsOf(apiKeyIds: readonly string[]): Promise<ReadonlyMap<string, string | null>>
}

export const KEY_SECRETS = token<KeySecrets>('core/KeySecrets')
