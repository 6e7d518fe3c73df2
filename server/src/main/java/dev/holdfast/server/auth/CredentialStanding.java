package dev.holdfast.server.auth;

/**
 * Whether credentials that were accepted still count: a token may expire or be revoked while a stream runs that it opened. Safe for any
 * thread.
 */
public interface CredentialStanding {
    /** They count as long as the server runs. */
    CredentialStanding ALWAYS = new CredentialStanding() {
        @Override
        public boolean stands() {
            return true;
        }

        @Override
        public Runnable whenOver(Runnable act) {
            return () -> {};
        }
    };

    boolean stands();

    /**
     * Calls {@code act}, once and within a second, when they no longer count; on a thread that it must not block.
     *
     * @return forgets it; for what has ended by itself
     */
    Runnable whenOver(Runnable act);
}
