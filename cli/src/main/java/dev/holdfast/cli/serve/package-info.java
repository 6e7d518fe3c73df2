/**
 * The server: starts it ({@code serve}), shows its settings ({@code config}), asks whether it is well ({@code health}), makes its
 * tokens ({@code token}), tries its webhooks ({@code notify}). The only package that knows classes of the module server; what others need of that is here, as
 * {@link dev.holdfast.cli.serve.StoreGuard} for a guard with a server's settings.
 */
@NullMarked
package dev.holdfast.cli.serve;

import org.jspecify.annotations.NullMarked;
