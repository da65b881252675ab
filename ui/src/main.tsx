import '@blueprintjs/core/lib/css/blueprint.css';
import './app/app.css';

import { createRoot } from 'react-dom/client';

import { start } from './app/start';
import { ignoreStrayKeys } from './lib/strayKeys';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
ignoreStrayKeys(window);
void start(createRoot(root));
