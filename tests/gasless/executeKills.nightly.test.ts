import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testExecuteKills } from './executeKills.js'

testExecuteKills(EVERY_PLACE.signatures)
