package dev.holdfast.state.deploy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A CI system, and the variables in which it tells what it runs. A value is the name of a variable, or a text in which variables
 * stand in braces and which counts only if all of them are set; of several with {@code |} between them, the first that says something
 * is taken.
 */
record CiSystem(String label, String signs, String run, String url, String user, String commit, String branch) {
    private static final List<CiSystem> KNOWN = List.of(
            new CiSystem(
                    "github-actions",
                    "GITHUB_ACTIONS",
                    "GITHUB_RUN_ID",
                    "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}",
                    "GITHUB_TRIGGERING_ACTOR|GITHUB_ACTOR",
                    "GITHUB_SHA",
                    "GITHUB_HEAD_REF|GITHUB_REF_NAME"),
            new CiSystem(
                    "gitlab-ci",
                    "GITLAB_CI",
                    "CI_PIPELINE_ID|CI_JOB_ID",
                    "CI_JOB_URL|CI_PIPELINE_URL",
                    "GITLAB_USER_EMAIL|GITLAB_USER_LOGIN",
                    "CI_COMMIT_SHA",
                    "CI_COMMIT_REF_NAME|CI_COMMIT_BRANCH"),
            new CiSystem(
                    "circleci",
                    "CIRCLECI",
                    "CIRCLE_WORKFLOW_ID|CIRCLE_BUILD_NUM",
                    "CIRCLE_BUILD_URL",
                    "CIRCLE_USERNAME|CIRCLE_PR_USERNAME",
                    "CIRCLE_SHA1",
                    "CIRCLE_BRANCH|CIRCLE_TAG"),
            new CiSystem(
                    "buildkite",
                    "BUILDKITE",
                    "BUILDKITE_BUILD_ID|BUILDKITE_BUILD_NUMBER",
                    "BUILDKITE_BUILD_URL",
                    "BUILDKITE_BUILD_CREATOR_EMAIL|BUILDKITE_BUILD_CREATOR",
                    "BUILDKITE_COMMIT",
                    "BUILDKITE_BRANCH"),
            new CiSystem(
                    "azure-pipelines",
                    "TF_BUILD",
                    "BUILD_BUILDID",
                    "{SYSTEM_COLLECTIONURI}{SYSTEM_TEAMPROJECT}/_build/results?buildId={BUILD_BUILDID}",
                    "BUILD_REQUESTEDFOREMAIL|BUILD_REQUESTEDFOR",
                    "BUILD_SOURCEVERSION",
                    "SYSTEM_PULLREQUEST_SOURCEBRANCH|BUILD_SOURCEBRANCH"),
            new CiSystem(
                    "bitbucket-pipelines",
                    "BITBUCKET_BUILD_NUMBER",
                    "BITBUCKET_BUILD_NUMBER",
                    "{BITBUCKET_GIT_HTTP_ORIGIN}/pipelines/results/{BITBUCKET_BUILD_NUMBER}",
                    "BITBUCKET_STEP_TRIGGERER_UUID",
                    "BITBUCKET_COMMIT",
                    "BITBUCKET_BRANCH|BITBUCKET_TAG"),
            new CiSystem("teamcity", "TEAMCITY_VERSION", "BUILD_NUMBER", "BUILD_URL", "", "BUILD_VCS_NUMBER", ""),
            new CiSystem(
                    "drone",
                    "DRONE",
                    "DRONE_BUILD_NUMBER",
                    "DRONE_BUILD_LINK",
                    "DRONE_BUILD_TRIGGER|DRONE_COMMIT_AUTHOR",
                    "DRONE_COMMIT_SHA",
                    "DRONE_SOURCE_BRANCH|DRONE_COMMIT_BRANCH"),
            new CiSystem(
                    "aws-codebuild",
                    "CODEBUILD_BUILD_ARN",
                    "CODEBUILD_BUILD_ID",
                    "CODEBUILD_PUBLIC_BUILD_URL",
                    "CODEBUILD_INITIATOR",
                    "CODEBUILD_RESOLVED_SOURCE_VERSION",
                    "CODEBUILD_WEBHOOK_HEAD_REF"),
            // Last: others set some of its variables to look like it.
            new CiSystem(
                    "jenkins",
                    "JENKINS_URL|JENKINS_HOME",
                    "BUILD_TAG|BUILD_NUMBER|BUILD_ID",
                    "BUILD_URL",
                    "BUILD_USER_EMAIL|BUILD_USER_ID|CHANGE_AUTHOR",
                    "GIT_COMMIT",
                    "CHANGE_BRANCH|BRANCH_NAME|GIT_LOCAL_BRANCH|GIT_BRANCH"));

    private static final Pattern VARIABLE = Pattern.compile("\\{([A-Z_0-9]+)}");
    /** Names are for people: without the way git finds them. */
    private static final List<String> REFS = List.of("refs/heads/", "refs/tags/", "origin/");
    /** Longest value that is looked at. */
    private static final int MAX_VALUE = 200;

    static Optional<CiSystem> of(Map<String, String> variables) {
        return KNOWN.stream()
                .filter(system -> first(variables, system.signs).isPresent())
                .findFirst();
    }

    Optional<String> branch(Map<String, String> variables) {
        return first(variables, branch)
                .map(name -> REFS.stream()
                        .filter(name::startsWith)
                        .findFirst()
                        .map(ref -> name.substring(ref.length()))
                        .orElse(name));
    }

    /** The first of these that says something. */
    static Optional<String> first(Map<String, String> variables, String names) {
        return Stream.of(names.split("\\|", -1))
                .map(name -> name.indexOf('{') < 0 ? value(variables, name) : filled(variables, name))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> filled(Map<String, String> variables, String text) {
        StringBuilder filled = new StringBuilder();
        Matcher named = VARIABLE.matcher(text);
        while (named.find()) {
            Optional<String> value = value(variables, named.group(1));
            if (value.isEmpty()) {
                return Optional.empty();
            }
            named.appendReplacement(filled, Matcher.quoteReplacement(value.get()));
        }
        return Optional.of(named.appendTail(filled).toString());
    }

    /** Control characters have no place in labels. */
    private static Optional<String> value(Map<String, String> variables, String name) {
        String value =
                variables.getOrDefault(name, "").replaceAll("\\p{Cntrl}", "").strip();
        return value.isEmpty()
                ? Optional.empty()
                : Optional.of(value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE));
    }
}
