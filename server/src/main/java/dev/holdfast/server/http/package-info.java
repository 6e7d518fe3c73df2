/** HTTP without locks: routes, bodies, answers, limits. */
@NullMarked
package dev.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
