const description = [
  "The total on the last page is wrong when a voucher and a discount meet: the voucher is taken off twice.",
  "",
  "- Reproduce it with a test first.",
  "- Vouchers come after discounts; the price list says so.",
  "- Tell the shop's owner in a comment which orders were affected.",
  "",
].join("\n");

/** The body that creates an issue as people write them. */
export const typicalIssue = (title: string) => ({ title, description, priority: "high" as const });
