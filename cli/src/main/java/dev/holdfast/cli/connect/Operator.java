package dev.holdfast.cli.connect;

import dev.holdfast.ClientConfig;
import dev.holdfast.cli.text.CommandException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.wire.CallerJson;
import java.util.Optional;

/** The person at the command line, as locks and the history show them. */
public final class Operator {
    private Operator() {}

    /** The run of the CI system, else {@code user@host}: the process is gone in a moment, so its number would tell nobody anything. */
    public static String label() {
        DeployMetadata known = DeployMetadata.fromEnvironment();
        if (known.ciSystem().isPresent()) {
            return known.lockedBy();
        }
        String host = ClientConfig.DEFAULT.owner().replaceFirst("-[0-9]+-[0-9]+$", "");
        return System.getProperty("user.name", "somebody") + "@" + host;
    }

    /** The same, or the name by which the server knows whoever shows it a token or certificate, unless a CI system says more. */
    public static String label(Target target) throws InterruptedException {
        if (DeployMetadata.fromEnvironment().ciSystem().isPresent() || !target.showsWho()) {
            return label();
        }
        try {
            ServerCalls server = new ServerCalls(target.servers(), Target.PATIENCE);
            return CallerJson.known(server.send("GET", "/v2/whoami", Optional.empty()))
                    .orElseGet(Operator::label);
        } catch (StoreException | CommandException e) {
            return label(); // an older server; or what comes next says what is wrong
        }
    }

    public static ClientConfig config() {
        return ClientConfig.DEFAULT.withOwner(label());
    }
}
