const name = { first: "Ann", last: "Émile", middleInitial: "B", salutation: "Dr", suffix: "III" };

/** Every field of an address. */
export const address = {
  businessName: "Ann's GmbH",
  city: "Köln",
  country: "DE",
  county: "Rheinland",
  label: "home",
  name,
  phoneNumber: "+49 221 123",
  poBox: false,
  postalCode: "50667",
  stateOrRegion: "NW",
  street1: "Domplatz 1",
  street2: "2. Stock",
};
const card = {
  cardNumber: "4242",
  cardType: "visa",
  expirationMonth: "12",
  expirationYear: "2030",
  label: "mine",
  token: "tok_1Abc",
};
const email = { address: "ann@example.com", label: "private" };
const newsletter = { email: "ann@example.com", label: "weekly" };

/** Every property of a profile that a customer may set, each with every field. */
export const fullProfile = {
  addresses: { addresses: [address], defaultBilling: address, defaultShipping: address },
  birthDate: "1992-02-29",
  creditCards: { cards: [card], default: card },
  defaultLocationId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  emailAddresses: { addresses: [email], default: email },
  gender: "F",
  name,
  subscriptions: {
    addressCatalogs: [{ address, label: "print" }],
    emailCatalogs: [newsletter],
    emailNewsletters: [newsletter],
  },
};
