import type { PayoutPurpose } from '@causeway/core/chain'
import type { PayoutState } from '@causeway/core/money-path'
import type { Query } from './query.js'

/** A payout that changed its state; from null: it was made. */
export interface PayoutMove {
  readonly purpose: PayoutPurpose
  readonly from: PayoutState | null
  readonly to: PayoutState
}

/**
 * Lets the database note every move of a payout that is committed, in a schema of its own: between two looks at the rows several
 * are made. Once for a database, after its migrations.
 */
export const watchPayoutMoves = async (query: Query): Promise<void> => {
  await query(`
    create schema simulation;
    create table simulation.payout_moves (nth bigint generated always as identity, purpose text not null, old text, new text not null);
    create function simulation.note_payout() returns trigger language plpgsql as $$
    begin
      insert into simulation.payout_moves (purpose, old, new)
      values (new.purpose, case when tg_op = 'UPDATE' then old.state end, new.state);
      return null;
    end $$;
    create trigger simulation_made after insert on payouts for each row execute function simulation.note_payout();
    create trigger simulation_moved after update of state on payouts for each row
      when (old.state is distinct from new.state) execute function simulation.note_payout()`)
}

/** Moves since they were last taken, in their order. */
export const takePayoutMoves = (query: Query): Promise<readonly PayoutMove[]> =>
  query(`with taken as (delete from simulation.payout_moves returning *)
    select purpose, old as "from", new as "to" from taken order by nth`)
