package dev.holdfast.guard.actuator.aws;

import dev.holdfast.guard.ActResult;
import dev.holdfast.guard.ActTarget;
import dev.holdfast.guard.Actuator;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.Aim;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.Settling;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops and starts an RDS database: the target's setting {@code db_instance}, or what the database's host name begins with. Tokens
 * stand in the keys of tags, {@code holdfast:fencing-token:42}; see {@link FencedAct} for what that protects from. Clusters (Aurora) are
 * refused by RDS. RDS starts what was stopped again after seven days.
 */
public final class RdsActuator implements Actuator {
    private static final Logger LOG = LoggerFactory.getLogger(RdsActuator.class);
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z][A-Za-z0-9-]{0,62})(\\.[a-z0-9.-]+\\.rds\\.amazonaws\\.com(\\.cn)?(:[0-9]+)?)?");

    private final String name;
    private final AwsQuery rds;
    private final Settling settling;

    /** Reads its settings, noting what is wrong with them there. */
    public RdsActuator(String name, ActuatorSettings settings) {
        this.name = name;
        rds = new AwsQuery("rds", "2014-10-31", settings);
        settling = Settling.from(settings, Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ActResult stop(ActTarget target) {
        return act(target, Aim.STOP);
    }

    @Override
    public ActResult start(ActTarget target) {
        return act(target, Aim.START);
    }

    @Override
    public ResourceState state(ActTarget target) {
        try {
            return database(target).look(Deadline.in(target.timeout())).state();
        } catch (ActFailure e) {
            LOG.warn("The state of '{}' is not known: {}", target.dbIdentifier(), e.getMessage());
            return ResourceState.UNKNOWN;
        }
    }

    private ActResult act(ActTarget target, Aim aim) {
        try {
            return new FencedAct(database(target), target, aim, settling).run();
        } catch (ActFailure e) {
            return e.asResult();
        }
    }

    private Database database(ActTarget target) throws ActFailure {
        Matcher id = HOST.matcher(target.settings().getOrDefault("db_instance", target.dbIdentifier()));
        if (!id.matches()) {
            throw new ActFailure("'" + target.dbIdentifier() + "' does not tell which RDS database it is; give the"
                    + " resource the setting db_instance");
        }
        return new Database(rds, id.group(1));
    }

    private record Database(AwsQuery rds, String id) implements FencedResource {
        @Override
        public String shown() {
            return "RDS database '" + id + "'";
        }

        @Override
        public FencedState look(Deadline deadline) throws ActFailure {
            AwsXml database = describe(deadline);
            String word = database.text("DBInstanceStatus");
            return new FencedState(state(word), word, TokenTags.of(database.at("TagList"), "Tag", "Key", "Value"));
        }

        @Override
        public void tag(long token, Deadline deadline) throws ActFailure {
            String arn = describe(deadline).text("DBInstanceArn");
            call(
                    "AddTagsToResource",
                    Map.of(
                            "ResourceName",
                            arn,
                            "Tags.Tag.1.Key",
                            TokenTags.key(token),
                            "Tags.Tag.1.Value",
                            Long.toString(token)),
                    deadline);
        }

        @Override
        public void untag(List<String> keys, Deadline deadline) throws ActFailure {
            Map<String, String> parameters = new HashMap<>();
            parameters.put("ResourceName", describe(deadline).text("DBInstanceArn"));
            for (String key : keys) {
                parameters.put("TagKeys.member." + parameters.size(), key);
            }
            rds.sent("RemoveTagsFromResource", parameters, shown(), deadline);
        }

        @Override
        public Optional<ActFailure> order(Aim aim, Deadline deadline) throws ActFailure {
            String action = aim == Aim.STOP ? "StopDBInstance" : "StartDBInstance";
            return rds.attempt(action, Map.of("DBInstanceIdentifier", id), shown(), deadline);
        }

        @Override
        public void rehearse(Aim aim, Deadline deadline) {
            // RDS has no dry run; that it could be described is all there is to know.
        }

        private AwsXml describe(Deadline deadline) throws ActFailure {
            AwsXml answer = call("DescribeDBInstances", Map.of("DBInstanceIdentifier", id), deadline);
            return answer.at("DescribeDBInstancesResult", "DBInstances", "DBInstance")
                    .filter(found -> id.equalsIgnoreCase(found.text("DBInstanceIdentifier")))
                    .orElseThrow(() -> new ActFailure("RDS does not describe " + shown()));
        }

        private AwsXml call(String action, Map<String, String> parameters, Deadline deadline) throws ActFailure {
            try {
                return rds.call(action, parameters, deadline);
            } catch (AwsProblem e) {
                throw AwsRefusals.of(action, shown(), e);
            }
        }

        private static ResourceState state(String word) {
            return switch (word) {
                case "stopping" -> ResourceState.STOPPING;
                case "stopped" -> ResourceState.STOPPED;
                case "starting", "creating", "rebooting" -> ResourceState.STARTING;
                // It serves while it is looked after; RDS itself refuses to stop it until that is over.
                case "available", "backing-up", "modifying", "maintenance", "storage-optimization", "upgrading" ->
                    ResourceState.RUNNING;
                default -> word.startsWith("configuring-") ? ResourceState.RUNNING : ResourceState.UNKNOWN;
            };
        }
    }
}
