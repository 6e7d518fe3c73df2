/**
 * HTTP without locks, for whoever writes a call: {@code Route} with a function from {@code Call} to {@code Reply}, or a {@code Problem}.
 *
 * <pre>
 *   Routes                        finds the route that is meant
 *   JsonBody, JsonFields, Query   what was sent: unknown fields, duplicate keys, depth, all faults at once
 *   JsonText, ErrorStyle, Cursors what is answered, and where a list goes on
 *   Blocking, WorkPatience        work that may block, on threads of its own, while somebody waits for it
 * </pre>
 *
 * What happens to a request before and after: {@code http.edge}, for which alone some methods of {@code Call} are public. Knows no lock.
 */
@NullMarked
package dev.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
