package dev.holdfast.cli.locks;

import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.exec.ChildProcess;
import dev.holdfast.model.LeaseId;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

final class LeaseOption {
    private static final String VARIABLE = ChildProcess.LEASE_ID;

    @Option(
            names = "--lease-id",
            paramLabel = "ID",
            description = "As 'acquire' printed it (" + VARIABLE + ", which other users of the machine cannot see).")
    private Optional<String> leaseId = Optional.empty();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    LeaseId get() {
        // One that is given but empty is a mistake, and not the lease of whoever started this.
        String value = leaseId.or(() -> Target.set(VARIABLE))
                .filter(it -> !it.isBlank())
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "Which lease? Give --lease-id ID or set " + VARIABLE + "; 'holdfast acquire' prints it"));
        return new LeaseId(value);
    }
}
