/** The calls of the server, one small class each: request, command, reply. */
@NullMarked
package dev.holdfast.server.routes;

import org.jspecify.annotations.NullMarked;
