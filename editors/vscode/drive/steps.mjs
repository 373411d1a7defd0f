// The test steps, in order. Each starts without open files, and with the files on disk as the previous steps left them.
import { agents } from './steps/agents.mjs';
import { desk } from './steps/desk.mjs';
import { insertions } from './steps/insertions.mjs';
import { neighbours } from './steps/neighbours.mjs';
import { programs } from './steps/programs.mjs';
import { replies } from './steps/replies.mjs';
import { reviews } from './steps/reviews.mjs';
import { selectors } from './steps/selectors.mjs';
import { servers } from './steps/servers.mjs';
import { testing } from './steps/testing.mjs';
import { themes } from './steps/themes.mjs';
import { workspaces } from './steps/workspaces.mjs';

export const steps = { ...programs, ...replies, ...selectors, ...neighbours, ...servers, ...workspaces, ...reviews, ...agents, ...insertions, ...testing, ...desk, ...themes };
