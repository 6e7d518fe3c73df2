/** How what is plugged in is found: {@link dev.holdfast.spi.loading.Services}. */
@NullMarked
package dev.holdfast.spi.loading;

import org.jspecify.annotations.NullMarked;
