import { createClient } from "@roster/client";

/** The API of the origin that this page came from, as whoever is signed in. */
export const client = createClient({ baseUrl: window.location.origin });
