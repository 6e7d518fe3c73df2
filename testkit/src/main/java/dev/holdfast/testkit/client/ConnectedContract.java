package dev.holdfast.testkit.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A contract of what is done with clients of the same locks, which are closed after each test. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a defect may hang; the build must not
public abstract class ConnectedContract {
    private final List<LockClient> clients = new ArrayList<>();

    /** Another client of the same locks. */
    protected abstract LockClient connect(ClientConfig config);

    protected final LockClient opened(ClientConfig config) {
        LockClient made = connect(config);
        clients.add(made);
        return made;
    }

    @AfterEach
    protected void closeClients() {
        clients.forEach(LockClient::close);
    }
}
