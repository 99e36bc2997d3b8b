import { Model, type RelationMappings } from 'objection'

/** Who owns keys; ownership rules compare integrators (wire.md H.1). */
export class IntegratorModel extends Model {
  static override readonly tableName = 'integrators'

  declare id: string
  declare name: string
  declare created_at: Date
}

/** A key as it is stored: no text of it, but for what the vault opens. */
export class ApiKeyModel extends Model {
  static override readonly tableName = 'api_keys'

  declare id: string
  declare integrator_id: string
  declare version: number
  declare hmac: Buffer
  declare ciphertext: Buffer
  /** The label; null when it has none. */
  declare name: string | null
  /** The first 12 characters of a key that was made here; null of one brought from elsewhere. */
  declare prefix: string | null
  /** The master key it is sealed under; null for the only one there had been. */
  declare master_mark: string | null
  declare elevated: boolean
  declare trusted: boolean
  declare created_at: Date
  declare revoked_at: Date | null
  declare last_used_at: Date | null
  declare integrator?: IntegratorModel

  static override get relationMappings(): RelationMappings {
    return {
      integrator: {
        relation: Model.BelongsToOneRelation,
        modelClass: IntegratorModel,
        join: { from: 'api_keys.integrator_id', to: 'integrators.id' },
      },
    }
  }
}
