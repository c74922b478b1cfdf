/** An amount, rounded to six decimal places: sums of decimal fractions would have more. */
export function rounded6(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}
