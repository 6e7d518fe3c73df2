package dev.holdfast.failure;

/** The client was closed, perhaps while the call was waiting. Nothing more is done with it; nothing was changed by this call. */
public final class ClientClosedException extends HoldfastException {
    private static final long serialVersionUID = 1;

    /**
     * Of a client.
     *
     * @param client what it is a client of, in words
     */
    public ClientClosedException(String client) {
        super("This lock client " + client + " is closed", null);
    }
}
