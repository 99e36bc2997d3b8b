import { SHORT_WALK } from '../faults/killPlaces.js'
import { testExecuteKills } from './executeKills.js'

testExecuteKills(SHORT_WALK.calls)
