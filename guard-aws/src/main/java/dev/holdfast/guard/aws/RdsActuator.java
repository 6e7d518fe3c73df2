package dev.holdfast.guard.aws;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.StopOrStart;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stops and starts an RDS database: the target's setting {@code db_instance}, or what the database's host name begins with. Clusters (Aurora) are
 * refused by RDS. RDS starts what was stopped again after seven days.
 */
final class RdsActuator extends AwsActuator {
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z][A-Za-z0-9-]{0,62})(\\.[a-z0-9.-]+\\.rds\\.amazonaws\\.com(\\.cn)?(:[0-9]+)?)?");

    RdsActuator(String name, ActuatorSettings settings) {
        super(name, "rds", "2014-10-31", Duration.ofSeconds(5), settings);
    }

    @Override
    FencedResource resource(ActTarget target, AwsQuery service) throws ActFailure {
        Matcher id = HOST.matcher(target.settings().getOrDefault("db_instance", target.dbIdentifier()));
        if (!id.matches()) {
            throw new ActFailure("'" + target.dbIdentifier() + "' does not tell which RDS database it is; give the"
                    + " resource the setting db_instance");
        }
        return new RdsDatabase(service, id.group(1));
    }

    private record RdsDatabase(AwsQuery service, String id) implements FencedResource {
        @Override
        public String shown() {
            return "RDS database '" + id + "'";
        }

        @Override
        public State look(Deadline deadline) throws ActFailure {
            AwsXml database = describe(deadline);
            String word = database.text("DBInstanceStatus");
            return new State(state(word), word, TokenTags.of(database.at("TagList"), "Tag", "Key", "Value"));
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
            service.sent("RemoveTagsFromResource", parameters, shown(), deadline);
        }

        @Override
        public void rehearse(StopOrStart aim, Deadline deadline) {
            // RDS has no dry run; that it could be described is all there is to know.
        }

        @Override
        public String action(StopOrStart aim) {
            return aim == StopOrStart.STOP ? "StopDBInstance" : "StartDBInstance";
        }

        @Override
        public Map<String, String> parameters() {
            return Map.of("DBInstanceIdentifier", id);
        }

        private AwsXml describe(Deadline deadline) throws ActFailure {
            AwsXml answer = call("DescribeDBInstances", parameters(), deadline);
            return answer.at("DescribeDBInstancesResult", "DBInstances", "DBInstance")
                    .filter(found -> id.equalsIgnoreCase(found.text("DBInstanceIdentifier")))
                    .orElseThrow(() -> new ActFailure("RDS does not describe " + shown()));
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
