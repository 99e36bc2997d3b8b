/** Words of the integrators' dashboard. */
export const dashboard = {
  title: 'Dashboard',
}
