/** The demo cannot go on; the message is a sentence for whoever watches, `details` are lines that help to see why. */
export class Failure extends Error {
  name = "Failure";

  constructor(message, details = []) {
    super(message);
    this.details = details;
  }
}
