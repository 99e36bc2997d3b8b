/** VM of the solver's address, whatever chains it serves; its chain enters the order id by name alone. */
export const SOLVER_VM_TYPE = 'ethereum-vm'
