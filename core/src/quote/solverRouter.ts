/** How routes name what the solver carries itself (wire.md 1.6 route.*.router); literal, whatever the service is called (wire.md K.1 13). */
export const SOLVER_ROUTER = 'relay'
