import { type StateReader as Reader, type StateChange, StateView } from '@causeway/core/testing'
import type { Entry } from './entries.js'

export type StateReader = Reader<Entry>
export type Change = StateChange<Entry>
export type View = StateView<Entry>

export const viewOf = (state: StateReader): View => new StateView(state)
