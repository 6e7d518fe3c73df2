/** How what is plugged in is found: {@link dev.holdfast.internal.loading.Services}. */
@NullMarked
package dev.holdfast.internal.loading;

import org.jspecify.annotations.NullMarked;
